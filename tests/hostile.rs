//! Hostile surroundings: variables and configuration files of other tools change no byte of a component, and text that a
//! model, a plan or a guest wrote cannot drive the terminal.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::cache::Cache;
use support::plan::Plan;
use support::program::{self, Ended};

const WIT: &str = "interface repo { read-text: func(path: string) -> string; }
world hole { import repo; export run: func() -> string; }";

const MANIFEST: &str = "[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"answers.json\"\n";

fn plan() -> Plan {
    let plan = Plan::new(WIT, MANIFEST);
    plan.write("answers.json", r#"{ "repo.read-text": "x" }"#);
    plan.write(
        "snippet.rs",
        "use std::collections::HashMap;
        pub fn run() -> String {
            let mut all: HashMap<String, u32> = HashMap::new();
            for word in repo::read_text(\"a\").split(' ') { *all.entry(word.to_string()).or_default() += 1; }
            let mut all: Vec<_> = all.into_iter().collect();
            all.sort_by(|a, b| b.1.cmp(&a.1));
            debug_assert!(all.len() < 1000);
            format!(\"{all:?} {}\", all[0].1 + 1)
        }",
    );
    plan
}

fn build(plan: &Plan, environment: &[(&str, &str)]) -> Vec<u8> {
    let arguments = [
        "build",
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "-o",
        "out.wasm",
    ];
    let ended = program::run_with(&plan.folder, arguments, environment);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    fs::read(plan.folder.join("out.wasm")).unwrap()
}

#[test]
fn surroundings_change_no_byte() {
    let (one, two) = (plan(), plan());
    let expected = build(&one, &[]);
    let home = program::scratch();
    fs::create_dir_all(home.join(".cargo")).unwrap();
    let hostile = "[build]\nrustc = \"/bin/false\"\nrustc-wrapper = \"/bin/false\"\nrustflags = [\"--cfg\", \"evil\"]\ntarget = \"nowhere\"\n[env]\nRUSTC_BOOTSTRAP = \"1\"\n";
    for folder in [&home, &two.folder] {
        fs::create_dir_all(folder.join(".cargo")).unwrap();
        fs::write(folder.join(".cargo/config.toml"), hostile).unwrap();
        fs::write(
            folder.join("rust-toolchain.toml"),
            "[toolchain]\nchannel = \"1.2.3\"\n",
        )
        .unwrap();
        fs::write(folder.join("Cargo.toml"), "not a manifest").unwrap();
        fs::write(folder.join(".rustc"), "").unwrap();
    }
    let real = PathBuf::from(std::env::var_os("HOME").unwrap());
    let kept = |name: &str, usual: &str| {
        std::env::var(name).unwrap_or_else(|_| real.join(usual).display().to_string())
    };
    let (rustup, cargo) = (kept("RUSTUP_HOME", ".rustup"), kept("CARGO_HOME", ".cargo"));
    let own = Cache::with_sdk();
    let environment = [
        ("HOME", home.to_str().unwrap()),
        ("RUSTUP_HOME", &rustup),
        ("CARGO_HOME", &cargo),
        own.variable(),
        (
            "RUSTFLAGS",
            "-C opt-level=3 --cfg evil -C overflow-checks=no",
        ),
        ("CARGO_ENCODED_RUSTFLAGS", "-Copt-level=3"),
        ("CARGO_BUILD_RUSTFLAGS", "-C opt-level=3"),
        (
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-C opt-level=3",
        ),
        ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/bin/false"),
        ("CARGO_INCREMENTAL", "1"),
        ("RUSTC", "/bin/false"),
        ("RUSTC_WRAPPER", "/bin/false"),
        ("RUSTC_WORKSPACE_WRAPPER", "/bin/false"),
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTC_LOG", "debug"),
        ("RUST_LOG", "debug"),
        ("RUST_BACKTRACE", "full"),
        ("RUST_MIN_STACK", "1"),
        ("RUSTUP_TOOLCHAIN", "1.2.3"),
        ("LD_PRELOAD", "/nonexistent/evil.so"),
        ("LD_LIBRARY_PATH", "/nonexistent"),
        ("SOURCE_DATE_EPOCH", "1"),
        ("TMPDIR", "/nonexistent"),
        ("TZ", "Asia/Tokyo"),
        ("LC_ALL", "tr_TR.UTF-8"),
    ];
    assert!(build(&two, &environment) == expected, "the bytes differ");
    // From another folder, by an absolute path.
    let arguments: Vec<String> = [
        "build".to_owned(),
        two.folder.join("plan.wit").display().to_string(),
        "--snippet".to_owned(),
        two.folder.join("snippet.rs").display().to_string(),
        "-o".to_owned(),
        two.folder.join("other.wasm").display().to_string(),
    ]
    .into();
    let ended = program::run(Path::new("/"), arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(
        fs::read(two.folder.join("other.wasm")).unwrap() == expected,
        "the bytes differ"
    );
    // Nothing of this machine in it.
    let text = String::from_utf8_lossy(&expected).into_owned();
    for host in [
        "/home",
        "/root",
        "/tmp",
        ".rustup",
        ".cargo",
        "lacuna-cache",
    ] {
        assert!(!text.contains(host), "{host} is in the component");
    }
    let _ = fs::remove_dir_all(home);
}

#[test]
fn several_processes_can_prepare_one_scope_at_once() {
    let own = Cache::with_sdk();
    let plans: Vec<Plan> = (0..6).map(|_| plan()).collect();
    let environment = [own.variable()];
    let built: Vec<Vec<u8>> = std::thread::scope(|threads| {
        let running: Vec<_> = plans
            .iter()
            .map(|plan| threads.spawn(|| build(plan, &environment)))
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(built.iter().all(|bytes| *bytes == built[0]));
}

/// Escape sequences, carriage returns, and characters that turn the direction of text.
const WILD: &str = "\u{1b}[31mred\u{7}\u{1b}]0;title\u{7}\r\u{202e}txet\u{2066}\u{9b}31m\u{8}";

#[track_caller]
fn is_tame(what: &str, text: &str) {
    for wild in WILD
        .chars()
        .filter(|wild| wild.is_control() || "\u{202e}\u{2066}".contains(*wild))
    {
        assert!(!text.contains(wild), "{what}: {wild:?} in {text:?}");
    }
}

fn text(plan: &Plan, command: &[&str]) -> Ended {
    program::run(&plan.folder, command)
}

#[test]
fn nothing_drives_the_terminal() {
    let plan = Plan::new("world hole { export run: func() -> string; }", "");
    let escaped: String = WILD
        .chars()
        .map(|c| format!("\\u{{{:x}}}", c as u32))
        .collect();
    for (what, snippet) in [
        (
            "raw text in an error",
            format!("let x: u32 = \"{}\"; String::new()", WILD.replace('\r', "")),
        ),
        (
            "a message of its own",
            format!("compile_error!(\"{escaped}\"); String::new()"),
        ),
        (
            "a raw message of its own",
            format!(
                "compile_error!(\"{}\"); String::new()",
                WILD.replace('\r', "")
            ),
        ),
        (
            "a deprecation",
            format!(
                "#[deny(deprecated)] fn g() {{ f() }} #[deprecated(note = \"{escaped}\")] fn f() {{}} String::new() + 1"
            ),
        ),
        (
            "unknown name",
            format!("/* {} */ unknown()", WILD.replace('\r', "")),
        ),
        (
            "tokens",
            format!("{} String::new()", WILD.replace('\r', "")),
        ),
        ("a panic", format!("panic!(\"{escaped}\")")),
        (
            "an unwrap",
            format!("Err::<String, String>(String::from(\"{escaped}\")).unwrap()"),
        ),
        (
            "the log",
            format!(
                "println!(\"{escaped}\"); eprintln!(\"{escaped}\"); dbg!(\"{escaped}\"); panic!(\"x\")"
            ),
        ),
        (
            "the log of a value",
            format!("println!(\"{escaped}\"); String::new()"),
        ),
    ] {
        plan.write("snippet.rs", &snippet);
        for command in [
            &["check", "plan.wit", "--snippet", "snippet.rs"][..],
            &["run", "plan.wit", "--snippet", "snippet.rs"],
            &["run", "plan.wit", "--snippet", "snippet.rs", "-q"],
            &["run", "plan.wit", "--snippet", "snippet.rs", "-v"],
            &[
                "run",
                "plan.wit",
                "--snippet",
                "snippet.rs",
                "--format",
                "json",
            ],
            &[
                "check",
                "plan.wit",
                "--snippet",
                "snippet.rs",
                "--format",
                "json",
            ],
        ] {
            let ended = text(&plan, command);
            is_tame(what, &ended.stderr.replace('\n', ""));
            // A value is exact in either format, and written so that it does nothing where it is shown.
            is_tame(what, &ended.stdout.replace('\n', ""));
        }
    }
    // Where the plan itself is at fault, and where it is shown.
    plan.write(
        "broken.wit",
        &format!("package t:h;\n/// {WILD}\nworld hole {{ export run: func() -> {WILD}; }}"),
    );
    is_tame(
        "a broken plan",
        &text(&plan, &["check", "broken.wit", "--snippet", "snippet.rs"])
            .stderr
            .replace('\n', ""),
    );
    for what in ["scope", "prompt"] {
        let shown = text(
            &plan,
            &["show", "plan.wit", "--hole", "hole", "--what", what],
        );
        assert_eq!(shown.code, Some(0), "{shown:?}");
        is_tame(what, &shown.stdout.replace('\n', ""));
    }
    plan.manifest(&format!("\"{escaped}\" = 1"));
    is_tame(
        "a broken manifest",
        &text(&plan, &["check", "plan.wit", "--snippet", "snippet.rs"])
            .stderr
            .replace('\n', ""),
    );
    plan.manifest(&format!(
        "[limits]\n\"{}\" = 1",
        escaped.replace("\\u{", "\\U0000").replace('}', "")
    ));
    is_tame(
        "an unknown key",
        &text(&plan, &["check", "plan.wit", "--snippet", "snippet.rs"])
            .stderr
            .replace('\n', ""),
    );
}
