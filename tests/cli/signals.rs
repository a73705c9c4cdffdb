//! Ctrl-C, SIGTERM and a closed terminal end the program and everything that it has started, whatever it is doing.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::Test;
use crate::processes::{self, Process};
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("interrupted-command-model", "audit", command_model),
    ("interrupted-compiler", "audit", compiler),
    ("interrupted-first-run", "audit", first_run),
    ("interrupted-hole", "audit", hole),
    ("interrupted-standard-input", "audit", standard_input),
];

/// Longest time until the program and what it has started are gone.
const SOON: Duration = Duration::from_secs(2);

/// What ends a program. The last is what a terminal sends when it is closed.
const SIGNALS: [(&str, Signal); 3] = [
    ("SIGINT", Signal::INT),
    ("SIGTERM", Signal::TERM),
    ("SIGHUP", Signal::HUP),
];

/// Starts the program, waits until `ready` likes the processes below it, sends the signal.
fn interrupt(sheet: &mut Sheet, arguments: &[&str], ready: impl Fn(&[Process]) -> bool) {
    for (name, signal) in SIGNALS {
        let trace = [arguments, &["--trace", "trace.jsonl"]].concat();
        let running = sheet.start(&trace, |command| {
            command.stdin(Stdio::piped());
        });
        let pid = running.child.id();
        let started = Instant::now();
        let below = loop {
            let below = processes::descendants(pid);
            if ready(&below) {
                break below;
            }
            assert!(
                started.elapsed() < Duration::from_secs(120),
                "never came that far: {below:?}"
            );
            std::thread::sleep(Duration::from_millis(1));
        };
        let signalled = Instant::now();
        kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
        let mut ended = running.end();
        let took = signalled.elapsed();
        assert!(took < SOON, "{name}: the end took {took:?}");
        while below.iter().any(processes::is_alive) {
            assert!(signalled.elapsed() < SOON, "{name}: left behind: {below:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        // How far it came is chance.
        ended.stderr = ended.stderr.lines().last().unwrap_or_default().to_owned() + "\n";
        sheet.say(&format!("# {name}"));
        sheet.note(&trace, &ended);
        let trace = sheet.read("trace.jsonl");
        let last = trace.lines().last().unwrap_or_default();
        assert!(
            last.contains("session-end") && last.contains("interrupted"),
            "{last}"
        );
    }
}

fn named(name: &'static str) -> impl Fn(&[Process]) -> bool {
    move |below| below.iter().any(|(_, _, found)| found == name)
}

fn command_model(sheet: &mut Sheet) {
    let model = "command:sh -c 'sleep 77 & sleep 78'";
    interrupt(sheet, &["run", "plan.wit", "--model", model], |below| {
        below.iter().filter(|(_, _, name)| name == "sleep").count() == 2
    });
}

/// A snippet that keeps rustc busy for long.
fn compiler(sheet: &mut Sheet) {
    let mut code = String::from("pub fn duplicates(_: String) -> Vec<Duplicate> { Vec::new() }\n");
    code += "const fn spin(n: u64) -> u64 { let mut i = 0; let mut s = 0u64; while i < n { s = s.wrapping_mul(31).wrapping_add(i); i += 1; } s }\n";
    code += "pub const SLOW: u64 = spin(2_000_000_000);\n#[allow(long_running_const_eval)] pub static USED: u64 = SLOW;\n";
    sheet.write("slow.rs", &code);
    // The scope's bindings are compiled first, and that is not the compiler that is meant.
    let warm = sheet.start(
        &["check", "plan.wit", "--snippet", "recorded/audit.2.md"],
        |_| {},
    );
    assert_eq!(warm.end().code, Some(0));
    interrupt(
        sheet,
        &["run", "plan.wit", "--snippet", "slow.rs"],
        |below| named("rustc")(below) && named("rust-lld")(below),
    );
}

/// The SDK is compiled by threads that no future can cancel.
fn first_run(sheet: &mut Sheet) {
    let cache = sheet.folder.join("fresh");
    sheet.set("LACUNA_CACHE_DIR", &cache);
    sheet.normal.name(&cache, "[FRESH]");
    let fresh = cache.clone();
    interrupt(sheet, &["run", "plan.wit"], move |below| {
        named("rustc")(below) && fresh.join("sdk").exists()
    });
}

fn hole(sheet: &mut Sheet) {
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[limits]\nfuel = 50000000000000",
    );
    sheet.write(
        "loop.rs",
        "pub fn duplicates(_: String) -> Vec<Duplicate> { println!(\"here\"); loop {} }",
    );
    let trace = sheet.folder.join("trace.jsonl");
    interrupt(
        sheet,
        &["run", "plan.wit", "--snippet", "loop.rs"],
        move |_| {
            let text = std::fs::read_to_string(&trace).unwrap_or_default();
            // The old file is there until the new run has begun.
            text.contains("\"log\"") && !text.contains("session-end")
        },
    );
}

/// Nothing ever comes, and the thread that waits for it cannot be told.
fn standard_input(sheet: &mut Sheet) {
    let trace = sheet.folder.join("trace.jsonl");
    for (name, signal) in SIGNALS {
        let arguments = [
            "run",
            "plan.wit",
            "--arg",
            "lockfile=@-",
            "--trace",
            "trace.jsonl",
        ];
        let _ = std::fs::remove_file(&trace);
        let mut running = sheet.start(&arguments, |command| {
            command.stdin(Stdio::piped());
        });
        let _open = running.child.stdin.take();
        while !trace.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        let signalled = Instant::now();
        let pid = Pid::from_raw(running.child.id().cast_signed()).unwrap();
        kill_process(pid, signal).unwrap();
        let ended = running.end();
        assert!(signalled.elapsed() < SOON, "{:?}", signalled.elapsed());
        sheet.say(&format!("# {name}"));
        sheet.note(&arguments, &ended);
    }
}
