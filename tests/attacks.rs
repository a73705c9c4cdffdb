//! Code that reaches for what it was not given: `lacuna check` rejects it at the right stage, in its own coordinates,
//! shows nothing of the host, and answers the same whether a file exists or not.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and starts the program"
)]

mod support;

use std::fs;

use serde_json::{Value, json};

use support::plan::{Plan, json as report};
use support::program::{self, Ended};

/// Stands in files and variables of the host, and nowhere in a snippet.
const MARKER: &str = "Xq7MarkerOfTheHost";

const WIT: &str = "interface repo {
    read-text: func(path: string) -> string;
    write: func(path: string, text: string);
    resource dir { constructor(); name: func() -> string; }
}
world hole { import repo; export run: func() -> string; }";

const MANIFEST: &str = "[hole.hole.grant.repo]
provider = \"stub\"
answers = \"answers.json\"
functions = [\"read-text\", \"dir.constructor\", \"dir.name\"]";

fn plan() -> Plan {
    let plan = Plan::new(WIT, MANIFEST);
    plan.write("answers.json", "{}");
    plan
}

/// Judges a snippet in an environment that holds the marker.
fn check(plan: &Plan, snippet: &str) -> Ended {
    plan.write("snippet.rs", snippet);
    let arguments = [
        "check",
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "--format",
        "json",
    ];
    program::run_with(&plan.folder, arguments, &[("PRESENT_VAR", MARKER)])
}

/// Nothing of the host in what was printed.
#[track_caller]
fn shows_nothing(snippet: &str, ended: &Ended) {
    for text in [&ended.stdout, &ended.stderr] {
        for host in [
            MARKER,
            "/rustc/",
            ".rustup",
            "lacuna-cache",
            "libstd",
            "bindings.rs",
            "hole.rs",
        ] {
            assert!(
                !text.contains(host),
                "{host} is shown for\n{snippet}\n{ended:?}"
            );
        }
    }
}

/// Checks that the snippet is rejected at one of these stages, with places that lie in it.
#[track_caller]
fn rejected(plan: &Plan, snippet: &str, stages: &[&str]) -> Value {
    let ended = check(plan, snippet);
    shows_nothing(snippet, &ended);
    let verdict = report(&ended);
    assert_eq!(ended.code, Some(1), "{snippet}\n{ended:?}");
    assert_eq!(verdict["verdict"], "rejected", "{snippet}\n{verdict}");
    let stage = verdict["stage"].as_str().unwrap();
    assert!(stages.contains(&stage), "{stage}: {snippet}\n{verdict:#}");
    let lines: Vec<&str> = snippet.split('\n').collect();
    let diagnostics = verdict["diagnostics"].as_array().unwrap();
    assert!(!diagnostics.is_empty(), "{snippet}");
    for span in diagnostics
        .iter()
        .flat_map(|each| each["spans"].as_array().unwrap())
    {
        for end in ["start", "end"] {
            let at = |part: &str| span[end][part].as_u64().unwrap() as usize;
            let line = lines
                .get(at("line") - 1)
                .unwrap_or_else(|| panic!("{span} in {snippet}"));
            assert!(
                at("column") <= line.chars().count() + 1,
                "{span} in {snippet}"
            );
        }
    }
    verdict
}

/// As [`rejected`], and at least one diagnostic has a place.
#[track_caller]
fn rejected_somewhere(plan: &Plan, snippet: &str, stages: &[&str]) {
    let verdict = rejected(plan, snippet, stages);
    let placed = verdict["diagnostics"].as_array().unwrap().iter();
    let mut placed = placed.filter(|each| !each["spans"].as_array().unwrap().is_empty());
    assert!(placed.next().is_some(), "no place: {snippet}\n{verdict:#}");
}

/// Code in a `run`.
fn run(statement: &str) -> String {
    format!("pub fn run() -> String {{ {statement} }}")
}

/// A `run` behind other items.
fn with(items: &str) -> String {
    format!("{items}\npub fn run() -> String {{ String::new() }}")
}

const SNIPPET: &[&str] = &["snippet"];
const COMPILE: &[&str] = &["compile"];

/// Ways to have a file read at compile time or at run time; `{P}` is its path.
fn readers() -> Vec<(String, &'static [&'static str])> {
    let mut all: Vec<(String, &[&str])> = Vec::new();
    for statement in [
        "format!(\"{:?}\", std::fs::read(\"{P}\"))",
        "use std::fs as f; format!(\"{:?}\", f::read(\"{P}\"))",
        "use std as s; format!(\"{:?}\", s::fs::read(\"{P}\"))",
        "use std::fs::read as r; format!(\"{:?}\", r(\"{P}\"))",
        "macro_rules! m { ($a:tt $b:tt $c:tt $d:tt) => { $d::$c::$b($a) } } format!(\"{:?}\", m!(\"{P}\" read fs std))",
        "mod m { pub fn f() -> Vec<u8> { std::fs::read(\"{P}\").unwrap() } } format!(\"{:?}\", m::f())",
        "std::fs::File::open(\"{P}\").unwrap(); String::new()",
        "format!(\"{}\", std::path::Path::new(\"{P}\").exists())",
        "core::include_str!(\"{P}\").to_string()",
        "include_str!(\"{P}\").to_string()",
        "std::include_str!(\"{P}\").to_string()",
        "format!(\"{:?}\", std::include_bytes!(\"{P}\"))",
        "include!(\"{P}\")",
        "::core::include!(\"{P}\")",
        "use core::include_str as i; i!(\"{P}\").to_string()",
        "use core as c; c::include_str!(\"{P}\").to_string()",
        "mod m { pub const X: &str = core::include_str!(\"{P}\"); } m::X.to_string()",
        "mod m { pub use core::*; } m::include_str!(\"{P}\").to_string()",
        "macro_rules! m { ($a:tt $b:tt $c:tt) => { $c::$b!($a) } } m!(\"{P}\" include_str core).to_string()",
        "macro_rules! m { ($p:path, $a:tt) => { $p!($a) } } m!(core::include_str, \"{P}\").to_string()",
        "concat!(include_str!(\"{P}\")).to_string()",
        "format!(include_str!(\"{P}\"))",
        "panic!(core::include_str!(\"{P}\"))",
        "compile_error!(include_str!(\"{P}\"))",
        "#[doc = include_str!(\"{P}\")] fn f() {} String::new()",
    ] {
        all.push((run(statement), COMPILE));
    }
    for items in [
        "#[path = \"{P}\"] mod x;",
        "#[path=\"{P}\"]\npub(crate) mod x;",
        "#[cfg_attr(all(), path = \"{P}\")] mod x;",
        "mod m { #[path = \"{P}\"] mod x; }",
        "#[path = \"{P}\"] mod r#x;",
        "fn f() { #[path = \"{P}\"] mod x; }",
        "macro_rules! m { ($m:tt $x:tt { $s:tt }) => { #[path = \"{P}\"] $m $x $s } } m!(mod foo { ; });",
        "macro_rules! m { ($($t:tt)*) => { $($t)* } } m! { #[path = \"{P}\"] mod x; }",
        "macro_rules! m { ($i:item) => { $i } } m! { #[path = \"{P}\"] mod x; }",
        "mod m { macro_rules! m { ($p:literal) => { #[path = $p] mod x; } } m!(\"{P}\"); }",
        "#[debugger_visualizer(gdb_script_file = \"{P}\")] mod x {}",
        "#[debugger_visualizer(natvis_file = \"{P}\")] mod x {}",
        "#[r#debugger_visualizer(gdb_script_file = \"{P}\")] mod x {}",
        "#[cfg_attr(all(), debugger_visualizer(gdb_script_file = \"{P}\"))] mod x {}",
        "macro_rules! m { ($a:meta) => { #[$a] fn f() {} } } m!(debugger_visualizer(gdb_script_file = \"{P}\"));",
        "extern crate std as s; fn f() { s::fs::read(\"{P}\"); }",
        "mod m { extern crate core as c; pub const X: &str = c::include_str!(\"{P}\"); }",
    ] {
        all.push((with(items), SNIPPET));
    }
    all.push((
        format!(
            "#![debugger_visualizer(gdb_script_file = \"{{P}}\")]\n{}",
            with("")
        ),
        SNIPPET,
    ));
    all
}

/// What a verdict says apart from hashes, times and the name itself, which the snippet holds.
fn comparable(mut verdict: Value, name: &str) -> String {
    verdict["hash"] = json!(null);
    verdict["millis"] = json!(null);
    for diagnostic in verdict["diagnostics"].as_array_mut().unwrap() {
        // A line of the snippet that is too long for a picture may be cut within the name.
        let picture = diagnostic["rendered"].as_str().unwrap();
        let whole: Vec<&str> = picture.lines().filter(|line| !line.contains('…')).collect();
        diagnostic["rendered"] = json!(whole);
    }
    verdict.to_string().replace(name, "{P}")
}

#[test]
fn files_do_not_exist() {
    let plan = plan();
    let place = |name: &str| plan.folder.join(name).display().to_string();
    // Good Rust, text that breaks the lexer in each way, and bytes that are no text.
    let contents: [&[u8]; 6] = [
        b"pub const X: &str = \"Xq7MarkerOfTheHost\";",
        b"Xq7MarkerOfTheHost \"open",
        b"/* Xq7MarkerOfTheHost",
        b"Xq7MarkerOfTheHost { ( [ }",
        b"r##\" Xq7MarkerOfTheHost",
        b"Xq7MarkerOfTheHost \xff\xfe",
    ];
    for (index, content) in contents.iter().enumerate() {
        fs::write(place(&format!("present-{index}")), content).unwrap();
    }
    for (snippet, stages) in readers() {
        let missing = place("missing-0");
        let absent = rejected(&plan, &snippet.replace("{P}", &missing), stages);
        let absent = comparable(absent, "missing-0");
        for index in 0..contents.len() {
            // What the screen stops never gets to the compiler, and a name that does not exist opens nothing: one
            // sound file and one that breaks the lexer tell.
            if index > 1 && !snippet.contains("path") {
                break;
            }
            let path = place(&format!("present-{index}"));
            let present = rejected(&plan, &snippet.replace("{P}", &path), stages);
            assert_eq!(
                comparable(present, &format!("present-{index}")),
                absent,
                "{snippet}"
            );
        }
        rejected(&plan, &snippet.replace("{P}", "/etc/passwd"), stages);
    }
}

#[test]
fn variables_do_not_exist() {
    let plan = plan();
    for statement in [
        "option_env!(\"{P}\").unwrap_or_default().to_string()",
        "core::option_env!(\"{P}\").unwrap_or_default().to_string()",
        "env!(\"{P}\").to_string()",
        "std::env!(\"{P}\").to_string()",
        "use std::option_env as o; o!(\"{P}\").unwrap_or_default().to_string()",
        "mod m { pub const X: Option<&str> = option_env!(\"{P}\"); } format!(\"{:?}\", m::X)",
        "macro_rules! m { ($a:tt $b:tt $c:tt) => { $c::$b!($a) } } format!(\"{:?}\", m!(\"{P}\" option_env core))",
        "format!(env!(\"{P}\"))",
        "std::env::var(\"{P}\").unwrap_or_default()",
        "use std::env as e; e::var(\"{P}\").unwrap()",
        "mod m { pub fn f() -> String { std::env::var(\"{P}\").unwrap() } } m::f()",
        "format!(\"{:?}\", std::env::vars())",
    ] {
        let snippet = run(statement);
        let of = |name: &str| {
            comparable(
                rejected(&plan, &snippet.replace("{P}", name), COMPILE),
                name,
            )
        };
        assert_eq!(of("PRESENT_VAR"), of("MISSING_VAR"), "{snippet}");
        of("HOME");
    }
}

#[test]
fn foreign_symbols_do_not_exist() {
    let plan = plan();
    for items in [
        "unsafe extern \"C\" { fn evil(); }",
        "extern \"C\" { fn evil(); }",
        "#[link(wasm_import_module = \"evil\")] unsafe extern \"C\" { fn evil(); }",
        "mod m { unsafe extern \"C\" { pub fn evil(); } }",
        "macro_rules! m { ($a:tt $b:tt $c:tt $d:tt) => { $d $c $b $a } } m!({ fn evil(); } \"C\" extern unsafe);",
        "macro_rules! m { ($($t:tt)*) => { $($t)* } } m! { unsafe extern \"C\" { fn evil(); } }",
        "extern crate proc_macro;",
        "extern crate alloc as a; fn f() { a::alloc::alloc(todo!()); }",
        "extern crate bindings as b;",
        "pub extern \"C\" fn evil() {}",
        "use bindings::repo;",
        "bindings::fill!();",
        "use lacuna_rt as r;",
        "bindings::__export_world_hole_cabi!(Ty with_types_in { std::mem::transmute::<f64, u64>(1.0); }; evil);",
        "static __lacuna_fill_run: u8 = 1;",
    ] {
        rejected_somewhere(&plan, &with(items), SNIPPET);
    }
    for items in [
        "#[unsafe(no_mangle)] pub fn evil() {}",
        "#[unsafe(export_name = \"evil\")] pub fn evil() {}",
        "#[unsafe(link_section = \"component-type:evil\")] #[used] static X: [u8; 4] = *b\"EVIL\";",
        "mod m { #[unsafe(no_mangle)] pub fn evil() {} }",
        "macro_rules! m { ($a:tt $b:tt) => { #[$b($a)] pub fn evil() {} } } m!(no_mangle unsafe);",
        "#[cfg_attr(all(), unsafe(no_mangle))] pub fn evil() {}",
        "core::arch::global_asm!(\"\");",
        "fn f() { unsafe { core::arch::asm!(\"\") } }",
        "fn f() -> u64 { unsafe { core::mem::transmute(1.0f64) } }",
        "#[expect(unsafe_code, reason = \"x\")] fn f() { unsafe {} }",
        "fill!();",
        "use wit_bindgen as w;",
        "wit_bindgen::generate!({});",
        "fn f() { std::panic::set_hook(Box::new(|_| {})); }",
        "fn f() { let _ = std::panic::take_hook(); }",
        "fn f() { let _ = std::panic::catch_unwind(|| 1); }",
        "fn f() { use core::panic as p; let _: p::Location; }",
        "fn f() { let _ = alloc::__export::format_args!(\"\"); }",
        "fn f() { let _ = alloc::alloc::alloc; }",
        "fn f() { std::thread::spawn(|| 1); }",
        "fn f() { let _ = std::time::Instant::now(); }",
        "fn f() { let _ = std::net::TcpStream::connect(\"127.0.0.1:1\"); }",
        "fn f() { let _ = std::process::Command::new(\"sh\"); }",
        "use ::x as y;",
        "thread_local! { @processing_cfg_attr { pred: (true), rhs: [] }; [#[unsafe(export_name = \"evil\")] #[used]] []; pub static X: [u8; 4] = const { *b\"EVIL\" } }",
        "thread_local! { #[unsafe(export_name = \"evil\")] static X: u8 = 1 }",
        "fn f(d: &repo::Dir) -> u32 { d.handle() }",
        "fn f(d: &repo::Dir) -> u32 { d.take_handle() }",
        "fn f() -> repo::Dir { unsafe { repo::Dir::from_handle(7) } }",
        "fn f() -> repo::Dir { repo::Dir::from_handle(7) }",
        "#[global_allocator] static A: u8 = 1;",
        "#[panic_handler] fn p(_: &u8) -> ! { loop {} }",
        "#[lang = \"sized\"] trait S {}",
    ] {
        rejected_somewhere(&plan, &with(items), COMPILE);
    }
    for head in [
        "#![feature(x)]",
        "#![cfg(any())]",
        "#![allow(unsafe_code)]",
        "#![no_std]",
    ] {
        rejected_somewhere(&plan, &format!("{head}\n{}", with("")), SNIPPET);
    }
}

#[test]
fn the_wrapper_stays_closed() {
    let plan = plan();
    for body in [
        "String::new() } pub fn evil() { ",
        "} mod evil { ",
        "String::new() }\n}\n",
        "}",
        "} extern crate std; fn x() {",
        "macro_rules! m { () => { } } } String::new()",
        "mod m { } } String::new()",
        "String::from(\"a\") */ }",
        "use String as S; S::new() } pub fn evil() {",
    ] {
        rejected_somewhere(&plan, body, SNIPPET);
    }
}

#[test]
fn what_was_not_granted_does_not_exist() {
    let plan = plan();
    for code in [
        run("repo::write(\"a\", \"b\"); String::new()"),
        run("use repo::write as w; w(\"a\", \"b\"); String::new()"),
        run("use repo as r; r::write(\"a\", \"b\"); String::new()"),
        with("mod m { pub fn f() { super::repo::write(\"a\", \"b\") } }"),
        run(
            "macro_rules! m { ($a:tt $b:tt $c:tt) => { $c::$b $a } } m!((\"a\", \"b\") write repo); String::new()",
        ),
        run("use repo::*; write(\"a\", \"b\"); String::new()"),
        run("crate::snippet::repo::write(\"a\", \"b\"); String::new()"),
    ] {
        let verdict = rejected(&plan, &code, COMPILE);
        let text = verdict["diagnostics"].to_string();
        assert!(text.contains("write"), "{code}\n{verdict:#}");
    }
    let verdict = rejected(
        &plan,
        &run("repo::write(\"a\", \"b\"); String::new()"),
        COMPILE,
    );
    assert!(
        verdict["diagnostics"].to_string().contains("read-text"),
        "{verdict:#}"
    );
}

#[test]
fn a_wrong_result_type_is_told_in_the_snippet() {
    let plan = plan();
    for code in [
        "pub fn run() -> u32 { 1 }".to_owned(),
        run("1u32"),
        "1u32".to_owned(),
        "use u32 as String; pub fn run() -> String { 1 }".to_owned(),
        "mod m { pub type String = u32; }\nuse m::String as S;\npub fn run() -> S { 1 }".to_owned(),
        "macro_rules! m { ($a:tt $b:tt) => { pub fn run() -> $b $a } }\nm!({ 1 } u32);".to_owned(),
        run("mod m { pub fn f() -> u32 { 1 } } m::f()"),
    ] {
        rejected_somewhere(&plan, &code, COMPILE);
    }
}

/// Accepted, and no more in the component than a harmless snippet has.
#[test]
fn what_is_accepted_is_harmless() {
    let plan = plan();
    for items in [
        "#[path = \"/etc/passwd\"] mod x {}",
        "struct S; impl S { #[unsafe(link_section = \"evil\")] pub fn f(&self) {} }",
        "#[target_feature(enable = \"simd128\")] fn unused() {}",
        "#[used] static X: [u8; 4] = *b\"EVIL\";",
        "#[link(name = \"evil\")] struct S;",
        "thread_local! { static X: std::cell::Cell<u8> = const { std::cell::Cell::new(1) } }",
        "#[test] fn t() { unknown() }",
        "macro_rules! format_args { ($($t:tt)*) => { 1 } } pub fn f() { println!(\"{}\", 1) }",
        "#[macro_export] macro_rules! run { () => {} }",
    ] {
        let snippet = with(items);
        let ended = check(&plan, &snippet);
        shows_nothing(&snippet, &ended);
        let verdict = report(&ended);
        if verdict["verdict"] == "rejected" {
            rejected(&plan, &snippet, &["snippet", "compile", "link"]);
            continue;
        }
        assert_eq!(verdict["exports"], json!(["run"]), "{snippet}");
        for import in verdict["imports"].as_array().unwrap() {
            assert_eq!(import["implicit"], true, "{snippet}: {import}");
        }
    }
}

/// Safe Rust has a known hole (rust-lang/rust#25860) through which a number becomes a handle. The host's table is the wall.
#[test]
fn a_forged_handle_is_no_handle() {
    let plan = Plan::new(
        "interface repo { resource dir { constructor(); name: func() -> string; } }
        world hole { import repo; export run: func(n: u32) -> string; }",
        "[hole.hole.args]\nn = \"7\"\n[hole.hole.grant.repo]\nprovider = \"stub\"\nanswers = \"answers.json\"",
    );
    plan.write(
        "answers.json",
        "{\"repo.dir.constructor\": \"@1\", \"repo.dir.name\": \"x\"}",
    );
    let ended = plan.run(FORGER);
    let outcome = report(&ended);
    assert_eq!(ended.code, Some(4), "{ended:?}");
    assert_eq!(outcome["outcome"], "trap", "{outcome}");
    assert!(
        outcome["message"].as_str().unwrap().contains("handle"),
        "{outcome}"
    );
    // And none is told its number.
    assert_eq!(outcome["log"], json!(["Dir"]));
}

const FORGER: &str = r#"static UNIT: &&() = &&();
fn translate<'a, 'b, T>(_: &'a &'b (), value: &'b mut T) -> &'a mut T { value }
fn expand<'a, 'b, T>(value: &'a mut T) -> &'b mut T {
    let f: for<'x> fn(_, &'x mut T) -> &'b mut T = translate;
    f(UNIT, value)
}
enum Either<A, B> { A(Option<Box<A>>), B(Option<Box<B>>) }
fn reinterpret<A, B>(value: A) -> B {
    let mut either = Either::<A, B>::B(None);
    let Either::B(slot) = &mut either else { unreachable!() };
    let slot = expand(slot);
    either = Either::A(Some(Box::new(value)));
    core::hint::black_box(&either);
    *slot.take().unwrap()
}
pub fn run(n: u32) -> String {
    let mine = repo::Dir::new();
    println!("{:?}", mine);
    let forged: repo::Dir = reinterpret(n);
    forged.name()
}
"#;

/// On this target such functions may be called from anywhere: it is the engine that has the feature or not. Unoptimised
/// code uses little of what it may; the tests of `link` have the instructions.
#[test]
fn engine_features_that_are_off_are_rejections() {
    let plan = plan();
    let simd = "fn f(a: &mut [f32; 8]) { let b = *a; for i in 0..8 { a[i] = b[7 - i] * 2.0; } }";
    let mut rejections = 0;
    for features in [
        &["simd128"][..],
        &["simd128", "relaxed-simd"],
        &["tail-call"],
        &["atomics"],
        &["exception-handling"],
        &["wide-arithmetic"],
        &["multivalue", "reference-types"],
        &["extended-const"],
        &["multimemory"],
    ] {
        let enable: Vec<String> = features
            .iter()
            .map(|name| format!("enable = \"{name}\""))
            .collect();
        let snippet = format!(
            "#[target_feature({})] {simd}
            pub fn run() -> String {{ let mut a = [1.0; 8]; f(&mut a); f(core::hint::black_box(&mut a)); format!(\"{{a:?}}\") }}",
            enable.join(", ")
        );
        let ended = plan.run(&snippet);
        let outcome = report(&ended);
        match ended.code {
            Some(0) => assert_eq!(outcome["value"], "[4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]"),
            Some(1) => {
                rejections += 1;
                rejected(&plan, &snippet, &["compile", "link"]);
            }
            _ => panic!("{snippet}\n{ended:?}"),
        }
    }
    assert!(rejections > 0, "some features are unstable in the compiler");
}
