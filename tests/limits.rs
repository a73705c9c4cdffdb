//! Code that would never end or take all there is: each limit ends it with exit code 4, names itself, its value and what
//! was used, at two settings; and the process is gone soon after.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

mod support;

use std::time::Duration;

use support::plan::{Plan, json};

const MIB: u64 = 1024 * 1024;

/// Time that a process may still take when the limit is met (and to start, and to judge the snippet from the cache).
const AFTER: Duration = Duration::from_secs(2);

/// A hole without imports.
const PLAIN: &str = "world hole { export run: func() -> string; }";

/// Runs `snippet` under `[limits]` with each of these settings and checks the outcome. A setting is what is written, its
/// value as JSON has it and the time that may pass until the limit is met. Compile time is not part of it: each snippet
/// is judged first, and the verdict is cached.
#[track_caller]
fn each(
    plan: &Plan,
    manifest: &str,
    snippet: &str,
    name: &str,
    settings: &[(&str, u64, Duration)],
) {
    plan.manifest(manifest);
    let checked = plan.check(snippet);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    for (written, at, until) in settings {
        plan.manifest(&format!("[limits]\n{written}\n{manifest}"));
        let ended = plan.run(snippet);
        let outcome = json(&ended);
        assert_eq!(ended.code, Some(4), "{name}: {ended:?}");
        assert_eq!(outcome["outcome"], "limit", "{name}: {outcome}");
        assert_eq!(outcome["hole"], "hole", "{outcome}");
        let limit = &outcome["limit"];
        assert_eq!(limit["name"], name, "{outcome}");
        assert_eq!(limit["at"], *at, "{outcome}");
        assert!(limit["used"].as_u64().unwrap() >= *at, "{outcome}");
        let message = outcome["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{name}`")), "{outcome}");
        assert!(ended.stderr.contains(&format!("`{name}`")), "{ended:?}");
        assert!(
            ended.elapsed < *until + AFTER,
            "{name} = {at}: {:?}",
            ended.elapsed
        );
    }
}

const SOON: Duration = Duration::ZERO;

#[test]
fn endless_loop() {
    let plan = Plan::new(PLAIN, "");
    let snippet = "let mut n = 0u64; loop { n = core::hint::black_box(n.wrapping_add(1)); }";
    each(
        &plan,
        "",
        snippet,
        "fuel",
        &[
            ("fuel = 1_000_000", 1_000_000, SOON),
            ("fuel = 100_000_000", 100_000_000, SOON),
        ],
    );
    let endless = |wall: &str| format!("fuel = 1_000_000_000_000_000\nwall = \"{wall}\"");
    each(
        &plan,
        "",
        snippet,
        "wall",
        &[
            (&endless("200ms"), 200, Duration::from_millis(200)),
            (&endless("1s"), 1000, Duration::from_secs(1)),
        ],
    );
}

#[test]
fn allocation_in_steps() {
    let plan = Plan::new(PLAIN, "");
    let snippet =
        "let mut all: Vec<Vec<u8>> = Vec::new(); loop { all.push(vec![1; 1024 * 1024]); }";
    each(
        &plan,
        "",
        snippet,
        "memory",
        &[
            ("memory = \"8MiB\"", 8 * MIB, SOON),
            ("memory = \"64MiB\"", 64 * MIB, SOON),
        ],
    );
    // One that is too large at once.
    each(
        &plan,
        "",
        "let all = vec![1u8; 1 << 30]; format!(\"{}\", core::hint::black_box(&all).len())",
        "memory",
        &[
            ("memory = \"8MiB\"", 8 * MIB, SOON),
            ("memory = \"64MiB\"", 64 * MIB, SOON),
        ],
    );
}

#[test]
fn deep_recursion() {
    let plan = Plan::new(PLAIN, "");
    let settings: [(&str, u64, Duration); 2] = [
        ("stack = \"128KiB\"", 128 * 1024, SOON),
        ("stack = \"512KiB\"", 512 * 1024, SOON),
    ];
    let small = "fn deep(n: u64) -> u64 { if n == u64::MAX { 0 } else { 1 + deep(n + 1) } }
        pub fn run() -> String { format!(\"{}\", deep(0)) }";
    each(&plan, "", small, "stack", &settings);
    let large = "fn deep(n: u64) -> u64 {
            let frame = core::hint::black_box([n; 128]);
            if frame[3] == u64::MAX { 0 } else { frame[7] + deep(n + 1) }
        }
        pub fn run() -> String { format!(\"{}\", deep(0)) }";
    each(&plan, "", large, "stack", &settings);
    let array = "let a = [1u8; 1 << 25]; core::hint::black_box(&a); format!(\"{}\", a[5])";
    each(&plan, "", array, "stack", &settings);
    let array = "let a = [1u8; 1_000_000]; core::hint::black_box(&a); format!(\"{}\", a[5])";
    each(&plan, "", array, "stack", &settings);
}

#[test]
fn large_result() {
    let plan = Plan::new(PLAIN, "");
    let settings = [
        ("memory = \"256MiB\"\nresult = \"64KiB\"", 64 * 1024, SOON),
        ("memory = \"256MiB\"\nresult = \"16MiB\"", 16 * MIB, SOON),
    ];
    each(&plan, "", "\"x\".repeat(100_000_000)", "result", &settings);
}

#[test]
fn large_values_of_small_parts() {
    let plan = Plan::new(
        "world hole { export run: func() -> list<option<tuple<u8, string>>>; }",
        "",
    );
    let settings = [
        ("memory = \"256MiB\"\nresult = \"64KiB\"", 64 * 1024, SOON),
        ("memory = \"256MiB\"\nresult = \"2MiB\"", 2 * MIB, SOON),
    ];
    each(&plan, "", "vec![None; 3_000_000]", "result", &settings);
}

/// A plan with the tools of the tests behind a stub.
fn tools() -> Plan {
    let plan = Plan::new(
        "interface tools {
            resource item { constructor(n: u32); number: func() -> u32; }
            tick: func() -> u32;
            take: func(text: string);
        }
        world hole { import tools; export run: func() -> string; }",
        "",
    );
    plan.write(
        "answers.json",
        r#"{ "tools.tick": 7, "tools.item.constructor": "@1", "tools.item.number": 3 }"#,
    );
    plan
}

const TOOLS: &str = "[hole.hole.grant.tools]\nprovider = \"stub\"\nanswers = \"answers.json\"\n";

#[test]
fn ten_million_host_calls() {
    let plan = tools();
    let snippet =
        "let mut n = 0u64; for _ in 0..10_000_000 { n += u64::from(tools::tick()); } n.to_string()";
    each(
        &plan,
        TOOLS,
        snippet,
        "host-calls",
        &[
            ("host-calls = 100", 100, SOON),
            ("host-calls = 10000", 10_000, SOON),
        ],
    );
    // Without a limit on their number, time ends them.
    each(
        &plan,
        TOOLS,
        snippet,
        "wall",
        &[
            (
                "host-calls = 100_000_000\nfuel = 1_000_000_000_000\nwall = \"100ms\"",
                100,
                Duration::from_millis(100),
            ),
            (
                "host-calls = 100_000_000\nfuel = 1_000_000_000_000\nwall = \"500ms\"",
                500,
                Duration::from_millis(500),
            ),
        ],
    );
}

#[test]
fn handles() {
    let plan = tools();
    each(
        &plan,
        TOOLS,
        "let mut all = Vec::new(); loop { all.push(tools::Item::new(1)); if all.len() > 50_000 { return all[0].number().to_string(); } }",
        "handles",
        &[("handles = 10", 10, SOON), ("handles = 2000", 2000, SOON)],
    );
}

#[test]
fn large_argument() {
    let plan = tools();
    each(
        &plan,
        TOOLS,
        "tools::take(&\"x\".repeat(20_000_000)); String::new()",
        "crossing",
        &[
            ("crossing = \"10KiB\"", 10 * 1024, SOON),
            ("crossing = \"16MiB\"", 16 * MIB, SOON),
        ],
    );
}

#[test]
fn flood_of_lines() {
    let plan = Plan::new(PLAIN, "");
    let snippet = "loop { println!(\"{}\", \"x\".repeat(100)); }";
    each(
        &plan,
        "",
        snippet,
        "log",
        &[
            ("log = \"1KiB\"", 1024, SOON),
            ("log = \"64KiB\"", 64 * 1024, SOON),
        ],
    );
    // What was printed before is in the outcome, and no more than the limit.
    let outcome = json(&plan.run(snippet));
    let log = outcome["log"].as_array().unwrap();
    let bytes: usize = log.iter().map(|line| line.as_str().unwrap().len()).sum();
    assert!(bytes > 60 * 1024 && bytes <= 64 * 1024, "{bytes}");
    // One line without end.
    each(
        &plan,
        "",
        "loop { print!(\"xxxxxxxxxxxxxxxx\"); }",
        "log",
        &[
            ("log = \"1KiB\"", 1024, SOON),
            ("log = \"64KiB\"", 64 * 1024, SOON),
        ],
    );
}

#[test]
fn reading_a_fifo() {
    let plan = Plan::new(
        "world hole { import files: lacuna:fs/read@0.1.0; export run: func() -> string; }",
        "",
    );
    let files = plan.folder.join("files");
    std::fs::create_dir(&files).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        files.join("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let manifest = "[hole.hole.grant.files]\npath = \"files\"\n";
    for snippet in [
        "format!(\"{:?}\", files::read_text(\"fifo\"))",
        "format!(\"{:?}\", files::read(\"fifo\", 10, 10))",
    ] {
        each(
            &plan,
            manifest,
            snippet,
            "host-call-wall",
            &[
                (
                    "host-call-wall = \"100ms\"",
                    100,
                    Duration::from_millis(100),
                ),
                ("host-call-wall = \"1s\"", 1000, Duration::from_secs(1)),
            ],
        );
        // The wall time of the whole call holds for a host call too.
        each(
            &plan,
            manifest,
            snippet,
            "wall",
            &[
                ("wall = \"100ms\"", 100, Duration::from_millis(100)),
                ("wall = \"1s\"", 1000, Duration::from_secs(1)),
            ],
        );
    }
    // With a writer it is a file like any other.
    let writer = std::thread::spawn({
        let fifo = files.join("fifo");
        move || std::fs::write(fifo, "from a pipe").unwrap()
    });
    plan.manifest(manifest);
    let ended = plan.run("files::read_text(\"fifo\").unwrap()");
    writer.join().unwrap();
    assert_eq!(json(&ended)["value"], "from a pipe", "{ended:?}");
}

#[test]
fn many_entries() {
    let plan = Plan::new(
        "world hole { import files: lacuna:fs/read@0.1.0; export run: func() -> string; }",
        "",
    );
    let files = plan.folder.join("files");
    std::fs::create_dir(&files).unwrap();
    for n in 0..300 {
        std::fs::write(files.join(n.to_string()), "").unwrap();
    }
    each(
        &plan,
        "[hole.hole.grant.files]\npath = \"files\"\n",
        "files::walk(\".\").unwrap().len().to_string()",
        "entries",
        &[("entries = 10", 10, SOON), ("entries = 299", 299, SOON)],
    );
}

#[test]
fn a_limit_is_no_way_out_of_the_next_call() {
    // After a limit the instance is gone: state that it left behind is not looked at.
    let plan = Plan::new(
        "world hole { export a: func(); export b: func() -> u32; }",
        "",
    );
    plan.write(
        "snippet.rs",
        "pub fn a() { loop {} } pub fn b() -> u32 { 1 }",
    );
    plan.manifest("[limits]\nfuel = 1_000_000\n");
    let ended = support::program::run(
        &plan.folder,
        [
            "run",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "--format",
            "json",
            "--call",
            "a()",
            "--call",
            "b()",
        ],
    );
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert_eq!(json(&ended)["limit"]["name"], "fuel");
}

#[test]
fn bytes_that_are_written() {
    let plan = Plan::new(
        "world hole { import files: lacuna:fs/write@0.1.0; export run: func(); }",
        "",
    );
    std::fs::create_dir(plan.folder.join("files")).unwrap();
    each(
        &plan,
        "[hole.hole.grant.files]\npath = \"files\"\n",
        "let part = vec![0u8; 1 << 20]; for n in 0..100 { files::write(&format!(\"{n}\"), &part).unwrap(); }",
        "staged",
        &[
            ("staged = \"512KiB\"", 512 * 1024, SOON),
            ("staged = \"4MiB\"", 4 * MIB, SOON),
        ],
    );
    let written = std::fs::read_dir(plan.folder.join("files"))
        .unwrap()
        .count();
    assert_eq!(written, 4, "what is over the limit is not written");
}

#[test]
fn paths_that_are_changed() {
    let plan = Plan::new(
        "world hole { import files: lacuna:fs/write@0.1.0; export run: func(); }",
        "",
    );
    std::fs::create_dir(plan.folder.join("files")).unwrap();
    each(
        &plan,
        "[hole.hole.grant.files]\npath = \"files\"\n",
        "for n in 0..100 { files::write(\"same\", b\"x\").unwrap(); files::create_folder(&format!(\"{n}\")).unwrap(); }",
        "staged-keys",
        &[("staged-keys = 5", 5, SOON), ("staged-keys = 20", 20, SOON)],
    );
    let made = std::fs::read_dir(plan.folder.join("files"))
        .unwrap()
        .count();
    assert_eq!(
        made, 20,
        "`same` is one path, and what is over the limit is not made"
    );
}
