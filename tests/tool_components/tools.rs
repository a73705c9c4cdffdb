//! What a tool answers, how it fails, and what it may call.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::json;

use super::support::cache::{Cache, processes_in};
use super::support::plan::{Plan, json as printed};
use super::support::program;
use super::{bomb, wasi};

/// The interface that the tools of this file export.
pub(super) const CALC: &str = "interface calc {
    record sum { total: s64, parts: list<s64> }
    enum how { loop, grow, panic, recurse, index }
    add: func(parts: list<s64>) -> sum;
    count: func() -> u32;
    misbehave: func(how: how) -> u32;
}";

/// What the tool is written as.
const TOOL: &str = "
    use std::sync::atomic::{AtomicU32, Ordering};
    static CALLS: AtomicU32 = AtomicU32::new(0);
    pub fn add(parts: Vec<i64>) -> Sum { Sum { total: parts.iter().sum(), parts } }
    pub fn count() -> u32 { CALLS.fetch_add(1, Ordering::Relaxed) + 1 }
    fn deeper(n: u64) -> u64 { if n == 0 { 0 } else { std::hint::black_box(deeper(n - 1)) + 1 } }
    pub fn misbehave(how: How) -> u32 {
        match how {
            How::Loop => loop { std::hint::black_box(0); },
            How::Grow => { let mut all: Vec<Vec<u8>> = Vec::new(); loop { all.push(vec![1; 1 << 20]); } }
            How::Panic => panic!(\"the tool's own words\"),
            How::Recurse => deeper(u64::MAX) as u32,
            How::Index => { let all: Vec<u32> = Vec::new(); all[std::hint::black_box(7)] }
        }
    }";

/// Builds a component that exports `interface` and puts it beside `plan`.
pub(super) fn build(
    plan: &Plan,
    file: &str,
    interface: &str,
    imports: &str,
    manifest: &str,
    code: &str,
) {
    let name = interface.split_whitespace().nth(1).unwrap();
    let tool = Plan::new(
        &format!("{interface} world tool {{ {imports} export {name}; }}"),
        manifest,
    );
    if imports.contains("wasi:") {
        wasi::deps(&tool);
    }
    fs::create_dir_all(tool.folder.join("data")).unwrap();
    tool.write("answers.json", "{}");
    tool.write("snippet.rs", code);
    let arguments = [
        "build",
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "-o",
        "tool.wasm",
    ];
    let ended = program::run(&tool.folder, arguments);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    fs::copy(tool.folder.join("tool.wasm"), plan.folder.join(file)).unwrap();
}

/// A plan that uses the tool of this file.
pub(super) fn calc(exports: &str, manifest: &str) -> Plan {
    let plan = Plan::new(
        &format!("{CALC} world hole {{ import calc; use calc.{{how}}; {exports} }}"),
        &format!(
            "[hole.hole.grant.calc]\nprovider = \"component\"\nfile = \"calc.wasm\"\nsends = []\n{manifest}"
        ),
    );
    build(&plan, "calc.wasm", CALC, "", "", TOOL);
    plan
}

#[test]
fn a_tool_answers_and_keeps_its_state() {
    let plan = calc(
        "export run: func() -> tuple<s64, list<s64>, list<u32>>;",
        "",
    );
    let ended = plan.run(
        "let sum = calc::add(&[1, -2, 40]);
        (sum.total, sum.parts, vec![calc::count(), calc::count(), calc::count()])",
    );
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(
        printed(&ended)["value"],
        json!([39, [1, -2, 40], [1, 2, 3]])
    );
}

#[test]
fn a_tool_that_fails_is_named_and_its_limits_are_its_own() {
    let plan = calc("export run: func(how: how) -> u32;", "");
    for (how, limits, words) in [
        ("loop", "fuel = 100000000", "limit `fuel` reached"),
        ("grow", "memory = \"20MiB\"", "limit `memory` reached"),
        ("panic", "", "the tool's own words"),
        ("recurse", "", "limit `stack` reached"),
        ("index", "", "out of bounds"),
    ] {
        plan.manifest(&format!(
            "[limits]\n{limits}\n[hole.hole.args]\nhow = \"{how}\"\n\
             [hole.hole.grant.calc]\nprovider = \"component\"\nfile = \"calc.wasm\""
        ));
        let ended = plan.run("calc::misbehave(how)");
        assert_eq!(ended.code, Some(4), "{how}: {ended:?}");
        let printed = printed(&ended);
        let message = printed["message"].as_str().unwrap();
        assert_eq!(printed["outcome"], "trap", "{how}: {ended:?}");
        assert!(
            message.contains("the tool `calc` failed in `misbehave`") && message.contains(words),
            "{how}: {message}"
        );
    }
    // The time of a host call bounds the tool too.
    plan.manifest(
        "[limits]\nhost-call-wall = \"300ms\"\n[hole.hole.args]\nhow = \"loop\"\n\
         [hole.hole.grant.calc]\nprovider = \"component\"\nfile = \"calc.wasm\"",
    );
    let ended = plan.run("calc::misbehave(how)");
    assert_eq!(
        printed(&ended)["limit"]["name"],
        "host-call-wall",
        "{ended:?}"
    );
    assert!(ended.elapsed < Duration::from_secs(20), "{ended:?}");
}

#[test]
fn what_does_not_fit_is_told_at_load_with_its_place() {
    let plan = calc("export run: func() -> u32;", "");
    let wasm = fs::read(plan.folder.join("calc.wasm")).unwrap();
    fs::write(plan.folder.join("cut.wasm"), &wasm[..wasm.len() / 2]).unwrap();
    plan.write("text.wasm", "not wasm at all");
    fs::write(plan.folder.join("core.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let large = fs::File::create(plan.folder.join("large.wasm")).unwrap();
    large.set_len(100 << 20).unwrap();
    build(
        &plan,
        "other.wasm",
        "interface calc { add: func(parts: list<s32>) -> s32; count: func() -> u32; }",
        "",
        "",
        "pub fn add(parts: Vec<i32>) -> i32 { parts[0] } pub fn count() -> u32 { 1 }",
    );
    build(
        &plan,
        "fewer.wasm",
        "interface calc { count: func() -> u32; }",
        "",
        "",
        "pub fn count() -> u32 { 1 }",
    );
    build(
        &plan,
        "stranger.wasm",
        "interface else { other: func() -> u32; }",
        "",
        "",
        "pub fn other() -> u32 { 1 }",
    );
    build(
        &plan,
        "caller.wasm",
        CALC,
        "import wasi:random/random@0.2.3; import lacuna:clock/wall@0.1.0;",
        "[hole.tool.grant.random]\nprovider = \"wasi\"\n[hole.tool.grant.wall]",
        &TOOL.replace(
            "CALLS.fetch_add(1, Ordering::Relaxed) + 1",
            "random::get_random_u64() as u32 + wall::now().seconds as u32",
        ),
    );
    for (file, words) in [
        ("none.wasm", vec!["does not exist"]),
        (".", vec!["is no file"]),
        ("text.wasm", vec!["is malformed"]),
        ("cut.wasm", vec!["is malformed"]),
        (
            "core.wasm",
            vec![
                "is a core module, and no component",
                "wasm-tools component new",
            ],
        ),
        (
            "large.wasm",
            vec!["is larger than `component-file` allows (64 MiB)"],
        ),
        (
            "other.wasm",
            vec![
                "exports `t:h/calc`",
                "in `add` the parameter `parts` differs: each item: s32 instead of s64",
                "and 1 more",
            ],
        ),
        ("fewer.wasm", vec!["it has no function `add`"]),
        (
            "stranger.wasm",
            vec!["exports `t:h/else`", "it has no function `add`"],
        ),
        (
            "caller.wasm",
            vec![
                "the component `caller.wasm` imports `wasi:random/random@0.2.3`, and nothing grants it",
                "[hole.hole.grant.calc.grant.random]",
                "the component `caller.wasm` imports `lacuna:clock/wall@0.1.0`",
                "[hole.hole.grant.calc.grant.wall]",
            ],
        ),
    ] {
        plan.manifest(&format!(
            "[hole.hole.grant.calc]\nprovider = \"component\"\nfile = \"{file}\""
        ));
        let ended = plan.run("calc::count()");
        assert_eq!(ended.code, Some(2), "{file}: {ended:?}");
        for words in words {
            assert!(
                ended.stderr.contains(words),
                "{file}: {words}: {}",
                ended.stderr
            );
        }
        assert!(
            ended.stderr.contains("lacuna.toml:"),
            "{file}: {}",
            ended.stderr
        );
    }
    // What is not granted need not fit.
    plan.manifest("[hole.hole.grant.calc]\nprovider = \"component\"\nfile = \"fewer.wasm\"\nfunctions = [\"count\"]");
    let ended = plan.run("calc::count()");
    assert_eq!(printed(&ended)["value"], 1, "{ended:?}");
}

#[test]
fn a_function_of_the_world_and_resources() {
    let plan = Plan::new(
        "interface store { resource dir { size: func() -> u32; } open: func() -> dir; plain: func() -> u32; }
        world hole { import store; import double: func(n: u32) -> u32; export run: func() -> u32; }",
        "[hole.hole.grant.store]\nprovider = \"component\"\nfile = \"double.wasm\"\n\
         [hole.hole.grant.double]\nprovider = \"component\"\nfile = \"double.wasm\"",
    );
    let tool = Plan::new("world tool { export double: func(n: u32) -> u32; }", "");
    tool.write("snippet.rs", "n * 2");
    let arguments = [
        "build",
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "-o",
        "tool.wasm",
    ];
    assert_eq!(program::run(&tool.folder, arguments).code, Some(0));
    fs::copy(
        tool.folder.join("tool.wasm"),
        plan.folder.join("double.wasm"),
    )
    .unwrap();
    let ended = plan.run("double(21)");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(
        ended.stderr.contains("a component cannot serve resources"),
        "{ended:?}"
    );
    build(
        &plan,
        "store.wasm",
        "interface store { plain: func() -> u32; }",
        "",
        "",
        "pub fn plain() -> u32 { 1 }",
    );
    plan.manifest(
        "[hole.hole.grant.store]\nprovider = \"component\"\nfile = \"store.wasm\"\nfunctions = [\"plain\"]\nsends = []\n\
         [hole.hole.grant.double]\nprovider = \"component\"\nfile = \"double.wasm\"",
    );
    let ended = plan.run("double(20) + store::plain()");
    assert_eq!(printed(&ended)["value"], 41, "{ended:?}");
}

#[test]
fn a_tool_has_its_own_grants_and_tools_of_its_own() {
    const NOTES: &str = "interface notes { all: func() -> list<string>; }";
    let plan = Plan::new(
        &format!("{NOTES} world hole {{ import notes; export run: func() -> list<string>; }}"),
        "[hole.hole.grant.notes]\nprovider = \"component\"\nfile = \"notes.wasm\"\n\
         [hole.hole.grant.notes.grant.\"t:h/words\"]\nprovider = \"component\"\nfile = \"words.wasm\"\nsends = []\n\
         [hole.hole.grant.notes.grant.preopens]\nprovider = \"wasi\"\npreopen = \"data\"\n\
         [hole.hole.grant.notes.grant.types]\nprovider = \"wasi\"\nfunctions = [\"descriptor.open-at\", \"descriptor.read\"]\n",
    );
    fs::create_dir_all(plan.folder.join("data")).unwrap();
    plan.write("data/a.txt", "hello there");
    build(
        &plan,
        "words.wasm",
        "interface words { split: func(text: string) -> list<string>; }",
        "",
        "",
        "pub fn split(text: String) -> Vec<String> { text.split(' ').map(str::to_owned).collect() }",
    );
    build(&plan, "notes.wasm",
        "interface notes { all: func() -> list<string>; } interface words { split: func(text: string) -> list<string>; }",
        "import words; import wasi:filesystem/preopens@0.2.3; import wasi:filesystem/types@0.2.3;",
        "[hole.tool.grant.words]\nprovider = \"stub\"\nanswers = \"answers.json\"\n\
         [hole.tool.grant.preopens]\nprovider = \"wasi\"\n[hole.tool.grant.types]\nprovider = \"wasi\"\n",
        "use types::{DescriptorFlags, OpenFlags, PathFlags};
        pub fn all() -> Vec<String> {
            let (root, _) = preopens::get_directories().remove(0);
            let file = root.open_at(PathFlags::empty(), \"a.txt\", OpenFlags::empty(), DescriptorFlags::READ).unwrap();
            let mut all = words::split(&String::from_utf8(file.read(100, 0).unwrap().0).unwrap());
            all.push(format!(\"{:?}\", root.open_at(PathFlags::empty(), \"../lacuna.toml\", OpenFlags::empty(), DescriptorFlags::READ).is_err()));
            all
        }");
    let ended = plan.run("notes::all()");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(printed(&ended)["value"], json!(["hello", "there", "true"]));
    // What a tool has read of a folder is private in the tool too.
    let manifest = fs::read_to_string(plan.folder.join("lacuna.toml")).unwrap();
    plan.write("lacuna.toml", &manifest.replace("sends = []\n", ""));
    let ended = plan.run("notes::all()");
    assert!(
        ended
            .stderr
            .contains("the tool `notes` failed in `all`: `words.split` was not called"),
        "{ended:?}"
    );
}

#[test]
fn a_component_that_is_dear_to_compile_is_killed() {
    let plan = Plan::new(
        "world hole { import f: func() -> s32; export run: func() -> s32; }",
        "",
    );
    fs::write(plan.folder.join("small.wasm"), bomb::component(5, 2, 4)).unwrap();
    fs::write(
        plan.folder.join("dear.wasm"),
        bomb::component(2000, 400, 10_000),
    )
    .unwrap();
    let cache = Cache::with_sdk();
    plan.write("snippet.rs", "f()");
    let run = |limits: &str, file: &str| {
        plan.manifest(&format!(
            "[limits]\n{limits}\n[hole.hole.grant.f]\nprovider = \"component\"\nfile = \"{file}\""
        ));
        let arguments = ["run", "plan.wit", "--snippet", "snippet.rs"];
        program::run_with(&plan.folder, arguments, &[cache.variable()])
    };
    let ended = run("", "small.wasm");
    assert_eq!(
        (ended.code, ended.stdout.trim()),
        (Some(0), "0"),
        "{ended:?}"
    );
    for (limits, name) in [
        ("component-cpu = \"1s\"", "component-cpu"),
        ("component-wall = \"1s\"", "component-wall"),
        ("component-memory = \"1MiB\"", "component-memory"),
    ] {
        let ended = run(limits, "dear.wasm");
        assert_ne!(ended.code, Some(0), "{ended:?}");
        assert!(
            ended.stderr.contains("dear.wasm") && ended.stderr.contains(&format!("`{name}`")),
            "{name}: {ended:?}"
        );
        assert!(ended.elapsed < Duration::from_secs(60), "{ended:?}");
        cache.is_clean(name);
    }
}

#[test]
fn a_tool_of_the_usual_toolchains_finds_an_empty_world() {
    const PROBE: &str = "interface probe { look: func() -> list<string>; leave: func(); }";
    let imports = "import wasi:cli/environment@0.2.3; import wasi:cli/exit@0.2.3; import wasi:cli/stdin@0.2.3; \
                   import wasi:cli/stdout@0.2.3; import wasi:io/streams@0.2.3;";
    let labels = ["environment", "exit", "stdin", "stdout", "streams"];
    // To be built it needs grants, whatever they are.
    let stubs: Vec<String> = labels
        .iter()
        .map(|label| {
            format!("[hole.tool.grant.{label}]\nprovider = \"stub\"\nanswers = \"answers.json\"")
        })
        .collect();
    let grants: Vec<String> = labels
        .iter()
        .map(|label| format!("[hole.hole.grant.probe.grant.{label}]\nprovider = \"wasi\""))
        .collect();
    let plan = Plan::new(
        &format!(
            "{PROBE} world hole {{ import probe; export run: func(leave: bool) -> list<string>; }}"
        ),
        "",
    );
    build(
        &plan,
        "probe.wasm",
        PROBE,
        imports,
        &stubs.join("\n"),
        "pub fn look() -> Vec<String> {
            let out = stdout::get_stdout();
            vec![
                format!(\"{:?}\", environment::get_environment()),
                format!(\"{:?}\", environment::get_arguments()),
                format!(\"{}\", stdin::get_stdin().blocking_read(10).is_err()),
                format!(\"{}\", out.blocking_write_and_flush(b\"to nobody\").is_ok()),
            ]
        }
        pub fn leave() { exit::exit(Err(())) }",
    );
    let grant = "[hole.hole.grant.probe]\nprovider = \"component\"\nfile = \"probe.wasm\"";
    let code = "if leave { probe::leave(); } probe::look()";
    for (leave, expected) in [
        ("false", Some(json!(["[]", "[]", "true", "true"]))),
        ("true", None),
    ] {
        plan.manifest(&format!(
            "[hole.hole.args]\nleave = \"{leave}\"\n{grant}\n{}",
            grants.join("\n")
        ));
        let ended = plan.run(code);
        let printed = printed(&ended);
        match expected {
            Some(expected) => {
                assert_eq!(printed["value"], expected, "{ended:?}");
                assert!(!ended.stdout.contains("to nobody"), "{ended:?}");
            }
            None => {
                let message = printed["message"].as_str().unwrap();
                assert!(
                    message.ends_with("failed in `leave`: it exited with failure"),
                    "{message}"
                );
            }
        }
    }
}

#[test]
fn components_by_hand_that_cannot_run() {
    let plan = Plan::new(
        "world hole { import f: func() -> s32; export run: func() -> s32; }",
        "[hole.hole.grant.f]\nprovider = \"component\"\nfile = \"f.wasm\"",
    );
    let component = |module: &str| {
        format!(
            "(component (core module $m {module}) (core instance $i (instantiate $m))
             (func (export \"f\") (result s32) (canon lift (core func $i \"f\"))))"
        )
    };
    for (module, words) in [
        (
            "(func (export \"f\") (result i32) (drop (v128.const i64x2 0 0)) (i32.const 0))",
            vec![
                "cannot use the component",
                "f.wasm",
                "the engine refuses it",
                "SIMD",
            ],
        ),
        (
            "(memory 2000) (func (export \"f\") (result i32) (i32.const 0))",
            vec!["the tool `f` failed in `f`: limit `memory` reached"],
        ),
        (
            "(func $start unreachable) (start $start) (func (export \"f\") (result i32) (i32.const 0))",
            vec!["the tool `f` failed in `f`", "unreachable"],
        ),
        (
            "(memory 1) (func (export \"f\") (result i32) (i32.load (i32.const -4)))",
            vec!["the tool `f` failed in `f`: out of bounds memory access"],
        ),
        (
            "(table 200000 funcref) (func (export \"f\") (result i32) (i32.const 0))",
            vec!["the tool `f` failed in `f`: limit `tables` reached"],
        ),
    ] {
        let wasm = wat::parse_str(component(module)).unwrap();
        fs::write(plan.folder.join("f.wasm"), wasm).unwrap();
        let ended = plan.run("f()");
        assert_ne!(ended.code, Some(0), "{module}: {ended:?}");
        for words in words {
            assert!(
                ended.stderr.contains(words),
                "{module}: {words}: {}",
                ended.stderr
            );
        }
    }
}

#[test]
fn an_interrupted_run_leaves_no_compiler() {
    let plan = Plan::new(
        "world hole { import f: func() -> s32; export run: func() -> s32; }",
        "[hole.hole.grant.f]\nprovider = \"component\"\nfile = \"dear.wasm\"",
    );
    let dear = bomb::component(2000, 400, 10_000);
    fs::write(plan.folder.join("dear.wasm"), dear).unwrap();
    plan.write("snippet.rs", "f()");
    let cache = Cache::with_sdk();
    let (name, folder) = cache.variable();
    let mut run = Command::new(program::PROGRAM)
        .args(["run", "plan.wit", "--snippet", "snippet.rs"])
        .current_dir(&plan.folder)
        .env(name, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let compiling = |pid: u32| {
        let words = fs::read_to_string(format!("/proc/{pid}/cmdline"));
        words.is_ok_and(|words| words.contains("compile-component"))
    };
    let until = Instant::now() + Duration::from_secs(60);
    let work = cache.folder.join("work");
    while !(work.exists() && processes_in(&work).into_iter().any(compiling)) {
        assert!(Instant::now() < until, "no compiler was started");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(i32::try_from(run.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, Signal::INT).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(130));
    cache.is_clean("an interrupted run");
}
