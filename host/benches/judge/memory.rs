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

pub(crate) fn print(table: &mut Table) {
    table.heading("Host memory of `lacuna run`, at most, rustc apart (goal: under 150 MB)");
    for example in EXAMPLES {
        // An empty cache: everything is compiled, the SDK too.
        let cache = tempfile::tempdir().unwrap();
        let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(example);
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
        let kib: f64 = text
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .and_then(|line| line.trim().strip_suffix(" kB"))
            .and_then(|number| number.parse().ok())
            .unwrap();
        table.text(example, &format!("{:.0} MB", kib * 1024.0 / 1e6));
    }
}
