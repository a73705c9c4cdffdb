//! A short run of the fuzzer: no fault, enough accepted, every stage reached.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the program"
)]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Cases of this run.
const CASES: &str = "240";
/// A seed whose cases reach every stage.
const SEED: &str = "5";

#[test]
fn a_short_run_finds_nothing_and_reaches_every_stage() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz-short");
    std::fs::create_dir_all(&folder).unwrap();
    let report = folder.join("report.json");
    let ended = Command::new(env!("CARGO_BIN_EXE_lacuna-fuzz"))
        .args(["run", "--cases", CASES, "--seed", SEED, "--report"])
        .arg(&report)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stdout);
    assert!(
        ended.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    let figures: Value = serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    let (cases, accepted) = (
        figures["cases"].as_u64().unwrap(),
        figures["accepted"].as_u64().unwrap(),
    );
    assert!(cases >= 200, "{said}");
    assert!(accepted * 4 >= cases, "{said}");
    for stage in ["snippet", "compile", "link"] {
        assert!(
            figures["rejected"][stage]
                .as_u64()
                .is_some_and(|count| count > 0),
            "{stage}: {said}"
        );
    }
    assert!(figures["imports"].as_u64().unwrap() > 10, "{said}");
    assert!(
        figures["calls"]["value"]
            .as_u64()
            .is_some_and(|count| count > 0),
        "{said}"
    );
}
