//! The same snippet, scope and toolchain give the same bytes, whoever compiles them, where, and under whatever variables:
//! the SDK and the bindings too, made twice from nothing.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans, starts the program and compares files"
)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use support::cache::Cache;
use support::plan::{Plan, json};
use support::program::{self, Ended};

const WIT: &str =
    "interface repo { record page { name: string, size: u32 } pages: func() -> list<page>; }
world hole { import repo; export run: func() -> string; }";

const MANIFEST: &str = "[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"answers.json\"";

/// Panics with places, formats, and has generic code of std instantiated: all of these could carry a path.
const SNIPPET: &str = "use std::collections::BTreeMap;
pub fn run() -> String {
    let mut sizes: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for page in repo::pages() { sizes.entry(page.name).or_default().push(page.size); }
    let largest = sizes.values().map(|all| all.iter().max().unwrap()).max().expect(\"a page\");
    assert!(*largest > 0, \"{} {}\", file!(), line!());
    format!(\"{sizes:?} {largest} {}\", module_path!())
}";

/// Someone who builds: a home, a cache, a plan, all with a name of their own in it.
struct User {
    name: &'static str,
    home: PathBuf,
    temporary: PathBuf,
    cache: Cache,
    plan: Plan,
}

impl User {
    /// `inner` is where the cache stands below a folder of the user's own.
    fn new(name: &'static str, inner: &str) -> Self {
        let cache = Cache::empty(&format!("home/{name}/{inner}"));
        let plan = Plan::new(WIT, MANIFEST);
        plan.write("answers.json", "{}");
        plan.write("snippet.rs", SNIPPET);
        let home = plan.folder.join(name);
        let temporary = home.join("tmp");
        fs::create_dir_all(&temporary).unwrap();
        Self {
            name,
            home,
            temporary,
            cache,
            plan,
        }
    }

    /// Builds with these variables beside the user's own.
    fn build(&self, hostile: &[(&str, &str)]) -> Vec<u8> {
        // Toolchains stay where they are; all else of the user is in a home that was never used.
        let real = PathBuf::from(std::env::var_os("HOME").unwrap());
        let rustup =
            std::env::var_os("RUSTUP_HOME").map_or_else(|| real.join(".rustup"), PathBuf::from);
        let cargo = self.home.join(".cargo-home");
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let own = [
            ("RUSTUP_HOME", text(&rustup)),
            ("CARGO_HOME", text(&cargo)),
            ("HOME", text(&self.home)),
            ("TMPDIR", text(&self.temporary)),
            ("USER", self.name.to_owned()),
            ("LOGNAME", self.name.to_owned()),
        ];
        let mut environment: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        environment.push(self.cache.variable());
        environment.extend(hostile);
        let arguments = [
            "build",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "-o",
            "out.wasm",
        ];
        let ended = program::run_with(&self.plan.folder, arguments, &environment);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        fs::read(self.plan.folder.join("out.wasm")).unwrap()
    }

    /// Every file of the cache by its path there, without the locks.
    fn kept(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut kept = BTreeMap::new();
        let mut folders = vec![self.cache.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let is_lock = path
                    .extension()
                    .is_some_and(|end| end == "lock" || end == "used");
                if path.is_dir() {
                    folders.push(path);
                } else if !is_lock {
                    let below = path.strip_prefix(&self.cache.folder).unwrap().to_owned();
                    // The linker is a link to the toolchain's.
                    let bytes = fs::read_link(&path).map_or_else(
                        |_| fs::read(&path).unwrap(),
                        |target| target.into_os_string().into_encoded_bytes(),
                    );
                    kept.insert(below, bytes);
                }
            }
        }
        kept
    }
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// Files that would change what cargo, rustc and rustup do, if one of them looked.
fn hostile_files(folder: &Path) {
    fs::create_dir_all(folder.join(".cargo")).unwrap();
    for name in [".cargo/config.toml", ".cargo/config"] {
        fs::write(
            folder.join(name),
            "[build]\nrustc = \"/bin/false\"\nrustc-wrapper = \"/bin/false\"\nrustflags = [\"--cfg\", \"evil\"]\n[env]\nRUSTC_BOOTSTRAP = \"1\"\n",
        )
        .unwrap();
    }
    fs::write(
        folder.join("rust-toolchain.toml"),
        "[toolchain]\npath = \"/nonexistent\"\n",
    )
    .unwrap();
    fs::write(folder.join("Cargo.toml"), "not a manifest").unwrap();
}

#[test]
fn two_users_make_the_same_bytes() {
    let one = User::new("alice-q7", ".cache/lacuna");
    let two = User::new(
        "bob-with-a-long-name-x9",
        "work/of a project/target/tmp/cache",
    );
    // In every folder above the cache and the plan that is the test's own.
    for folder in [&two.home, &two.plan.folder, &two.cache.folder] {
        hostile_files(folder);
    }
    let above = two.cache.folder.ancestors().skip(1).take(6);
    above.for_each(hostile_files);
    let libraries = two.home.join("lib");
    fs::create_dir_all(&libraries).unwrap();
    fs::write(libraries.join("libz.so.1"), "no library").unwrap();
    let libraries = libraries.to_str().unwrap();
    let hostile = [
        (
            "RUSTFLAGS",
            "-C opt-level=3 --cfg evil -C overflow-checks=no -C metadata=evil",
        ),
        ("RUSTDOCFLAGS", "--cfg evil"),
        ("CARGO_ENCODED_RUSTFLAGS", "-Copt-level=3"),
        ("CARGO_BUILD_RUSTC", "/bin/false"),
        ("CARGO_BUILD_TARGET", "nowhere"),
        (
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
            "-C opt-level=3",
        ),
        ("CARGO_PROFILE_DEV_OPT_LEVEL", "3"),
        ("CARGO_INCREMENTAL", "1"),
        ("RUSTC", "/bin/false"),
        ("RUSTC_WRAPPER", "/bin/false"),
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTC_FORCE_RUSTC_VERSION", "evil"),
        ("RUSTC_LOG", "debug"),
        ("RUST_TARGET_PATH", "/nonexistent"),
        ("RUST_MIN_STACK", "1"),
        ("RUST_BACKTRACE", "full"),
        ("RUSTUP_TOOLCHAIN", "/nonexistent/toolchain"),
        ("RUSTUP_OVERRIDE_UNIX_FALLBACK_SETTINGS", "/nonexistent"),
        ("LD_LIBRARY_PATH", libraries),
        ("LANG", "tr_TR.UTF-8"),
        ("LC_ALL", "de_DE.ISO-8859-1"),
        ("TZ", "Asia/Kathmandu"),
        ("SOURCE_DATE_EPOCH", "1"),
        ("ZERO_AR_DATE", "0"),
        ("MALLOC_PERTURB_", "165"),
        ("MALLOC_ARENA_MAX", "1"),
        ("MALLOC_CONF", "junk:true"),
        ("_RJEM_MALLOC_CONF", "junk:true"),
        ("COLUMNS", "20"),
        ("TERM", "evil"),
    ];
    let (component, other) = (one.build(&[]), two.build(&hostile));
    assert!(component == other, "the components differ");
    let (kept, other) = (one.kept(), two.kept());
    let hostile_ones = [
        "Cargo.toml",
        "rust-toolchain.toml",
        ".cargo/config.toml",
        ".cargo/config",
    ];
    let mut names: Vec<&PathBuf> = other.keys().collect();
    names.retain(|name| {
        !hostile_ones
            .iter()
            .any(|hostile| *name == Path::new(hostile))
    });
    assert_eq!(names, kept.keys().collect::<Vec<_>>());
    for part in [
        "curated/libstd.rlib",
        "curated/libcore.rlib",
        "curated/liballoc.rlib",
        "liblacuna_rt.rlib",
        "prelinked.o",
        "libbindings.rlib",
    ] {
        let made = kept.keys().filter(|path| path.ends_with(part)).count();
        assert_eq!(made, 1, "{part}");
    }
    let differ: Vec<&PathBuf> = kept
        .iter()
        .filter(|(path, bytes)| other[*path] != **bytes)
        .map(|(path, _)| path)
        .collect();
    assert!(differ.is_empty(), "{differ:?}");
    // Nothing of the machine, of either user, or of where things stand.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .canonicalize()
        .unwrap();
    let machine = [
        one.name,
        two.name,
        scratch.to_str().unwrap(),
        env!("CARGO_TARGET_TMPDIR"),
        env!("CARGO_MANIFEST_DIR"),
        ".rustup/",
        "/toolchains/",
    ];
    for (path, bytes) in kept.iter().filter(|(path, _)| !path.ends_with("rust-lld")) {
        for text in machine {
            assert!(!has(bytes, text), "{text} is in {}", path.display());
        }
    }
    for text in machine
        .into_iter()
        .chain(["/home", "/root", "/tmp", ".cargo", ".rs:"])
    {
        assert!(!has(&component, text), "{text} is in the component");
    }
    assert!(
        has(&component, "snippet.rs"),
        "the search finds what is there"
    );
}

/// What the compiler would allow under `RUSTC_BOOTSTRAP=1`, were it told so.
#[test]
fn no_variable_opens_features() {
    for snippet in [
        "#![feature(never_type)] pub fn run() -> String { let f: fn() -> ! = || panic!(); let _ = f; String::new() }",
        "pub fn run() -> String { let n: Option<!> = None; format!(\"{n:?}\") }",
        "pub fn run() -> String { let x = try { Some(1)? }; format!(\"{x:?}\") }",
        "#[feature(core_intrinsics)] pub fn run() -> String { format!(\"{}\", core::intrinsics::size_of::<u8>()) }",
        "#[rustc_layout_scalar_valid_range_start(1)] struct S(u8); pub fn run() -> String { String::new() }",
        "auto trait A {} pub fn run() -> String { String::new() }",
        "pub fn run() -> String { let s: &'static [u8] = concat_bytes!(b\"a\", b\"b\"); format!(\"{s:?}\") }",
    ] {
        let verdicts = ["0", "1", "-1", "hole"].map(|bootstrap| {
            // A cache each, or the first answer would be all four.
            let cache = Cache::with_sdk();
            let plan = Plan::new("world hole { export run: func() -> string; }", "");
            plan.write("snippet.rs", snippet);
            let arguments = [
                "check",
                "plan.wit",
                "--snippet",
                "snippet.rs",
                "--format",
                "json",
            ];
            let environment = [cache.variable(), ("RUSTC_BOOTSTRAP", bootstrap)];
            let ended = program::run_with(&plan.folder, arguments, &environment);
            let mut verdict = json(&ended);
            assert_eq!(ended.code, Some(1), "{snippet}: {verdict:#}");
            verdict["millis"] = serde_json::Value::Null;
            verdict
        });
        assert!(
            verdicts.iter().all(|verdict| *verdict == verdicts[0]),
            "{verdicts:#?}"
        );
    }
}

/// Programs in the place of rustc, and what is said of them.
#[test]
fn a_program_that_only_pretends_to_be_rustc_is_named() {
    let sysroot = Command::new("rustc")
        .args(["--print", "sysroot"])
        .current_dir("/")
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()
        .unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    let host = "x86_64-unknown-linux-gnu";
    let claims = |release: &str, sysroot: &str| {
        let told =
            format!("echo 'rustc {release} (x)'; echo 'host: {host}'; echo 'release: {release}'");
        format!("#!/bin/sh\ncase $1 in --print) echo {sysroot};; *) {told};; esac\n")
    };
    for (program, words) in [
        (
            "#!/bin/sh\nexit 1\n".to_owned(),
            "does not run: exit status: 1",
        ),
        (
            "#!/bin/sh\necho 'error: no default toolchain is configured' >&2; exit 1\n".to_owned(),
            "does not run: no default toolchain is configured",
        ),
        (
            "#!/bin/sh\nkill -9 $$\n".to_owned(),
            "does not run: signal: 9",
        ),
        ("no program\n".to_owned(), "does not run: Exec format error"),
        (
            "#!/nonexistent/sh\n".to_owned(),
            "does not run: No such file",
        ),
        (
            "#!/bin/sh\n".to_owned(),
            "is not a Rust compiler: `-vV` names no host",
        ),
        (
            "#!/bin/sh\necho hello world\n".to_owned(),
            "is not a Rust compiler: `-vV` names no host",
        ),
        (
            "#!/bin/sh\nprintf '\\377'\n".to_owned(),
            "does not run: its answer is no text",
        ),
        (claims("1.80.0", "/nonexistent"), "rustc 1.80.0 is too old"),
        (claims("1.95.0", "/nonexistent"), "rust-lld` is missing"),
        (
            claims("1.95.0", "."),
            "is not a Rust compiler: `--print sysroot` gives no folder",
        ),
    ] {
        let (ended, shim) = with_rustc(&program, None);
        assert_eq!(ended.code, Some(2), "{program}: {ended:?}");
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert!(
            lines[0].starts_with("error: ") && lines[0].contains(words),
            "{program}: {ended:?}"
        );
        assert!(
            lines[0].contains(&shim) || words.starts_with("rust"),
            "{ended:?}"
        );
        assert!(lines[2].starts_with("hint: "), "{ended:?}");
    }
    // A shim of someone else's, which leads to a real one and adds to what that is told: the real one is used.
    let shim = format!(
        "#!/bin/sh\nexec '{}/bin/rustc' \"$@\" --cfg evil -Copt-level=3\n",
        sysroot.trim()
    );
    let cache = Cache::with_sdk();
    let (ended, _) = with_rustc(&shim, Some(&cache));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let plain = Cache::with_sdk();
    let plan = pretended();
    let ended = program::run_with(&plan.folder, CHECK, &[plain.variable()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let verdicts = |cache: &Cache| {
        let entries = fs::read_dir(cache.folder.join("verdicts")).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (support::name(&path), fs::read(path).unwrap()))
            .collect::<BTreeMap<_, _>>()
    };
    assert!(verdicts(&cache) == verdicts(&plain) && verdicts(&plain).len() == 1);
}

const CHECK: [&str; 4] = ["check", "plan.wit", "--snippet", "snippet.rs"];

fn pretended() -> Plan {
    let plan = Plan::new("world hole { export run: func() -> string; }", "");
    plan.write(
        "snippet.rs",
        "if cfg!(evil) { String::from(\"evil\") } else { String::new() }",
    );
    plan
}

/// A check where `rustc` on PATH is this program; and its path.
fn with_rustc(program: &str, cache: Option<&Cache>) -> (Ended, String) {
    let plan = pretended();
    let folder = plan.folder.join("bin");
    fs::create_dir(&folder).unwrap();
    let shim = folder.join("rustc");
    // Written under another name by another process: a file that is open for writing can't be started, and a test
    // beside this one may be starting a process that has inherited it.
    fs::write(plan.folder.join("shim"), program).unwrap();
    let copied = Command::new("cp")
        .arg(plan.folder.join("shim"))
        .arg(&shim)
        .status()
        .unwrap();
    assert!(copied.success());
    fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["sh", "kill", "printf"] {
        let _ = symlink(Path::new("/bin").join(name), folder.join(name));
    }
    let shared = program::cache();
    let cache = cache.map_or(shared.as_path(), |cache| cache.folder.as_path());
    let environment = [
        ("PATH", folder.to_str().unwrap()),
        ("LACUNA_CACHE_DIR", cache.to_str().unwrap()),
    ];
    (
        program::run_with(&plan.folder, CHECK, &environment),
        shim.display().to_string(),
    )
}
