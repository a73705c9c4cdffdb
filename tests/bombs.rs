//! Code that is dear to compile: the compiler is stopped at its limits, says which, and leaves nothing behind.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans, starts the program and looks for what it left"
)]

mod support;

use std::fs;
use std::time::{Duration, Instant};

use support::bombs::{kinds, nested, parameters, run};
use support::cache::{Cache, processes_in};
use support::plan::{Plan, json};
use support::program::{self, Ended};

const WIT: &str = "world hole { export run: func() -> string; }";

/// Small enough that the tests end soon.
const LIMITS: &str = "[limits]\nsnippet = \"160KiB\"\nrustc-cpu = \"2s\"\nrustc-wall = \"6s\"\nrustc-memory = \"512MiB\"";

/// Longest time that a judgement takes under [`LIMITS`]; a rejected repair is a second one.
const LONGEST: Duration = Duration::from_secs(20);

fn check(cache: &Cache, plan: &Plan, snippet: &str) -> Ended {
    plan.write("snippet.rs", snippet);
    command(cache, plan, "check")
}

fn command(cache: &Cache, plan: &Plan, command: &str) -> Ended {
    let arguments = [
        command,
        "plan.wit",
        "--snippet",
        "snippet.rs",
        "--format",
        "json",
    ];
    program::run_with(&plan.folder, arguments, &[cache.variable()])
}

#[test]
fn each_ends_at_a_limit() {
    let cache = Cache::with_sdk();
    let plan = Plan::new(WIT, LIMITS);
    let doubling = |names: &str| {
        let names: Vec<&str> = names.split(' ').collect();
        let mut text = String::new();
        for pair in names.windows(2) {
            text += &format!(
                "macro_rules! {} {{ ($($t:tt)*) => {{ {}!($($t)* $($t)*); {}!($($t)* $($t)*); }} }}\n",
                pair[0], pair[1], pair[1]
            );
        }
        text += &format!(
            "macro_rules! {} {{ ($($t:tt)*) => {{ const _: &str = stringify!($($t)*); }} }}\n",
            names[names.len() - 1]
        );
        text
    };
    let bombs: Vec<(&str, String)> = vec![
        ("parentheses", run(&nested("(", "1", ")", 3000))),
        ("braces", run(&nested("{", "1", "}", 2000))),
        ("brackets", run(&format!("let x = {}; String::new()", nested("[", "1", "]", 4000)))),
        ("not", run(&format!("let x = {}true; String::new()", "!".repeat(20_000)))),
        ("references", run(&format!("let x = {}1; String::new()", "&".repeat(20_000)))),
        ("sum", run(&format!("let x = {}1; String::new()", "1+".repeat(20_000)))),
        ("calls", run(&format!("String::new(){}", ".clone()".repeat(8_000)))),
        ("closures in types", format!("type T = {};\n{}", nested("Box<dyn Fn(", "u8", ")>", 800), run("String::new()"))),
        ("const loop", format!("#[allow(long_running_const_eval)] const X: u64 = {{ let mut i = 0u64; while i < 1_000_000_000_000 {{ i += 1; }} i }};\n{}", run("X.to_string()"))),
        ("doubling", format!("{}a!(x);\n{}", doubling("a b c d e f g h i j k l m n o p q r s t u"), run("String::new()"))),
        ("doubling itself", format!("macro_rules! d {{ ($($t:tt)*) => {{ d! {{ $($t)* $($t)* }} }} }}\nd! {{ a b c d }}\n{}", run("String::new()"))),
        ("large constant", format!("static X: [u64; 500_000_000] = [1; 500_000_000];\n{}", run("X[1].to_string()"))),
        ("or-pattern", {
            let arms: Vec<String> = (0..20_000).map(|n| (n * 3).to_string()).collect();
            format!("fn f(n: u32) -> bool {{ matches!(n, {}) }}\n{}", arms.join("|"), run("f(7).to_string()"))
        }),
        ("pairs in an or-pattern", {
            let arms: Vec<String> = (0..1_500).map(|n| format!("({n}, {}, _) | (_, {n}, {})", n + 1, n * 2)).collect();
            format!("fn f(t: (u32, u32, u32)) -> u8 {{ match t {{ {} => 1, _ => 0 }} }}\n{}", arms.join("|"), run("f((1, 2, 3)).to_string()"))
        }),
        ("huge types", {
            let mut text = String::from("struct T0;\n");
            for n in 1..40 {
                text += &format!("type T{n} = (T{}, T{});\n", n - 1, n - 1);
            }
            // The name is never written, the type is.
            text.replace("struct T0;", "type T0 = u8;") + &run("core::mem::size_of::<T39>().to_string()")
        }),
        ("types that double", "trait F { fn f(&self) -> usize; } impl F for () { fn f(&self) -> usize { 0 } } impl<T: F> F for Option<T> { fn f(&self) -> usize { g(Some(self)) } }\n impl<T: F> F for &T { fn f(&self) -> usize { 1 } }\nfn g<T>(x: T) -> usize { g((&x, &x)) }\npub fn run() -> String { g(1).to_string() }".to_owned()),
        ("many monomorphic copies", {
            let mut text = String::from("fn f0<T: Default>() -> usize { core::mem::size_of::<T>() }\n");
            for n in 1..16 {
                text += &format!("fn f{n}<T: Default>() -> usize {{ f{}::<(T, u8)>() + f{}::<(u8, T)>() }}\n", n - 1, n - 1);
            }
            text + &run("f15::<u8>().to_string()")
        }),
        ("large answer", "x".repeat(1024 * 1024)),
        ("larger answer", format!("{}{}", run("String::new()"), " ".repeat(1024 * 1024))),
        ("large snippet", format!("{}\n// {}", run("String::new()"), "x".repeat(160 * 1024))),
        ("large string", run(&format!("\"{}\".to_string()", "x".repeat(200_000)))),
    ];
    for (name, snippet) in bombs {
        let ended = check(&cache, &plan, &snippet);
        let verdict = json(&ended);
        eprintln!(
            "{name}: {:?} {}",
            ended.elapsed, verdict["diagnostics"][0]["message"]
        );
        assert!(ended.elapsed < LONGEST, "{name}: {:?}", ended.elapsed);
        assert!(matches!(ended.code, Some(0 | 1)), "{name}: {ended:?}");
        assert!(
            ended.code == Some(1) || !name.starts_with("large"),
            "{name} is accepted"
        );
        if ended.code == Some(1) {
            let first = &verdict["diagnostics"][0];
            let code = first["code"].as_str().unwrap_or_default();
            let rustc = ["E0275", "E0080"].contains(&code)
                || first["message"].as_str().unwrap().contains("reached the");
            assert!(code.starts_with("lacuna::") || rustc, "{name}: {verdict:#}");
            assert!(
                ended.stdout.len() < 128 * 1024,
                "{name}: {}",
                ended.stdout.len()
            );
        }
        cache.is_clean(name);
    }
}

#[test]
fn every_kind_is_told() {
    let cache = Cache::with_sdk();
    let plan = Plan::new(WIT, LIMITS);
    for (name, snippet, words) in kinds() {
        let ended = check(&cache, &plan, &snippet);
        eprintln!("{name}: {:?}", ended.elapsed);
        assert!(ended.elapsed < LONGEST, "{name}: {:?}", ended.elapsed);
        assert_eq!(ended.code, Some(1), "{name}: {ended:?}");
        assert!(
            ended.stdout.len() < 128 * 1024,
            "{name}: {}",
            ended.stdout.len()
        );
        let verdict = json(&ended);
        let first = verdict["diagnostics"][0]["rendered"].as_str().unwrap();
        let said = words.split('|').any(|word| first.contains(word));
        assert!(said, "{name}: nothing says `{words}`\n{first}");
        assert!(!first.contains("recursion_limit"), "{name}: {first}");
        cache.is_clean(name);
        let files = fs::read_dir(&plan.folder).unwrap().count();
        assert_eq!(files, 3, "{name}: the plan, its manifest and the snippet");
    }
}

/// Cranelift runs in the host's own process and cannot be stopped, so what gets that far must end soon.
#[test]
fn what_is_accepted_is_translated_soon() {
    let cache = Cache::with_sdk();
    let plan = Plan::new(WIT, "[limits]\nrustc-cpu = \"20s\"\nrustc-wall = \"60s\"");
    let many = |times: usize, statement: &str| {
        let mut text = String::from("fn h(x: u32) -> u32 { x ^ 5 }\n");
        for (outer, inner) in ["a b", "b c", "c d"].map(|pair| pair.split_once(' ').unwrap()) {
            let calls = format!("{inner}!($n); ").repeat(times);
            text += &format!("macro_rules! {outer} {{ ($n:ident) => {{ {calls} }} }}\n");
        }
        text += &format!("macro_rules! d {{ ($n:ident) => {{ {statement} }} }}\n");
        text + &run("let mut n = std::hint::black_box(5u32); a!(n); n.to_string()")
    };
    let arms: String = (0..2500u32)
        .map(|n| format!("{n} => {}, ", n.wrapping_mul(2_654_435_761)))
        .collect();
    let locals: String = (0..900)
        .map(|n| format!("let a{n} = std::hint::black_box({n}u64); "))
        .collect();
    let live: Vec<String> = (0..900).map(|n| format!("a{n}")).collect();
    for (name, snippet) in [
        ("locals", many(24, "let x = h(1); $n = $n.wrapping_add(x);")),
        (
            "blocks",
            many(
                11,
                "if $n & 1 == 0 { $n = $n / 2 + 1 } else { $n = $n * 3 % 7 + 1 }",
            ),
        ),
        ("loops", many(9, "while $n & 7 == 3 { $n += 1; }")),
        (
            "functions",
            many(18, "{ fn q(x: u32) -> u32 { x ^ 5 } $n = q($n); }"),
        ),
        (
            "a large table",
            format!(
                "fn f(n: u32) -> u32 {{ match n {{ {arms} _ => 0 }} }}\n{}",
                run("f(std::hint::black_box(7)).to_string()")
            ),
        ),
        (
            "many live values",
            run(&format!("{locals} ({}).to_string()", live.join("^"))),
        ),
        ("parameters", parameters(120, 100)),
    ] {
        assert_eq!(check(&cache, &plan, &snippet).code, Some(0), "{name}");
        // The verdict is kept, the machine code is not made yet.
        let ended = command(&cache, &plan, "run");
        eprintln!("{name}: {:?}", ended.elapsed);
        assert_eq!(ended.code, Some(0), "{name}: {ended:?}");
        assert!(ended.elapsed < LONGEST, "{name}: {:?}", ended.elapsed);
    }
}

#[test]
fn a_killed_run_is_cleaned_up_by_the_next() {
    let cache = Cache::with_sdk();
    let plan = Plan::new(WIT, "");
    plan.write(
        "snippet.rs",
        &format!("#[allow(long_running_const_eval)] const X: u64 = {{ let mut i = 0u64; while i < 1_000_000_000_000 {{ i += 1; }} i }};\n{}", run("X.to_string()")),
    );
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lacuna"))
        .args(["check", "plan.wit", "--snippet", "snippet.rs"])
        .current_dir(&plan.folder)
        .env("LACUNA_CACHE_DIR", &cache.folder)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let work = cache.folder.join("work");
    let until = Instant::now() + Duration::from_secs(60);
    while processes_in(&work).is_empty() {
        assert!(Instant::now() < until, "the compiler never started");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let runs = || fs::read_dir(&work).unwrap().count();
    assert_eq!(runs(), 1);
    // A compiler that nobody waits for any more ends at its own CPU limit; until then it is no reason to wait.
    let _ = plan;
    let plan = Plan::new(WIT, "");
    // Its lock is free, so whoever made it is dead.
    assert_eq!(check(&cache, &plan, "String::new()").code, Some(0));
    assert_eq!(runs(), 0);
}
