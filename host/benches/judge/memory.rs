//! The host's memory beside rustc: the bench starts itself as the `lacuna` command line, on each example, and the child
//! reads its own high-water mark, in which the compilers it started do not count.

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use crate::table::Table;

const CHILD: &str = "LACUNA_BENCH_CHILD";
const EXAMPLES: [&str; 2] = ["lock-audit", "log-triage"];

pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

pub(crate) fn child() -> ExitCode {
    let code = lacuna::cli::main();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    eprintln!("{}", line.unwrap());
    code
}

/// Bytes at most, per example; none where no answer is recorded.
pub(crate) fn measure() -> Vec<(&'static str, Option<f64>)> {
    EXAMPLES.map(|example| (example, run(example))).into()
}

fn run(example: &str) -> Option<f64> {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(example);
    if !plan.join("recorded").is_dir() {
        return None;
    }
    // An empty cache: everything is compiled, the SDK too.
    let cache = tempfile::tempdir().unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .arg("run")
        .arg(plan.join("plan.wit"))
        .env(CHILD, "1")
        .env("LACUNA_CACHE_DIR", cache.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let mark = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = mark.and_then(|mark| mark.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    Some(kibibytes.unwrap() * 1024.0)
}

pub(crate) fn print(table: &mut Table, measured: &[(&str, Option<f64>)]) {
    table.heading("Host memory of `lacuna run`, rustc apart (goal: under 150 MB)");
    for (example, bytes) in measured {
        let text = bytes.map_or("no recording".to_owned(), |bytes| {
            format!("{:.0} MB", bytes / 1e6)
        });
        table.text(example, &text);
    }
}
