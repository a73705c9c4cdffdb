//! Which mistakes repair themselves. Every rejected snippet of `cases/repair` and
//! `cases/first-attempts` is also given as a model's answer: then the
//! suggestions of the compiler are applied once before anybody is asked again. `repairs/expected.txt` is the table.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads its cases and starts the program"
)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use support::case::{self, Claim, Verdict};
use support::{folders, name, program, root, snapshot};

/// How many runs are made at once.
const WORKERS: usize = 4;

/// What came of one answer.
struct Ended {
    /// The value in WAVE, if it was accepted.
    value: Option<String>,
    /// Code and message of the first diagnostic of the first attempt.
    reason: String,
    /// The fixes that were applied before it was accepted: place and text.
    fixes: Vec<String>,
}

#[test]
fn the_table_of_repairs_holds() {
    let cases: Vec<(PathBuf, Claim)> = ["repair", "first-attempts"]
        .iter()
        .flat_map(|category| folders(&root().join("tests/cases").join(category)))
        .map(|folder| {
            let claim = case::claim(&folder).unwrap();
            (folder, claim)
        })
        .filter(|(_, claim)| claim.verdict == Verdict::Rejected)
        .collect();
    assert!(cases.len() >= 40, "only {} cases", cases.len());

    let queue = Mutex::new(cases.iter());
    let done = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let Some((folder, claim)) = queue.lock().unwrap().next() else {
                        return;
                    };
                    let ended = answer(folder);
                    done.lock().unwrap().insert(name(folder), (claim, ended));
                }
            });
        }
    });
    let done = done.into_inner().unwrap();

    let mut broken = Vec::new();
    for (case, (claim, ended)) in &done {
        if claim.repaired != ended.value {
            broken.push(format!(
                "{case}: claimed {:?}, came out {:?}: {}",
                claim.repaired, ended.value, ended.reason
            ));
        }
        // A case that is accepted without a fix is no mistake.
        if ended.value.is_some() && ended.fixes.is_empty() {
            broken.push(format!("{case}: accepted as it was written"));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let table = table(&done);
    let file = root().join("tests/repairs/expected.txt");
    snapshot::check(&file, &table, "repairs", "").unwrap_or_else(|message| panic!("{message}"));
}

/// Runs a case with its snippet as the whole of a model's answer.
fn answer(folder: &Path) -> Ended {
    let scratch = program::scratch();
    let file = scratch.join("answer.md");
    let snippet = fs::read_to_string(folder.join("snippet.rs")).unwrap();
    fs::write(&file, format!("```rust\n{snippet}\n```\n")).unwrap();
    let trace = scratch.join("trace.jsonl");
    let model = format!("command:cat {}", file.display());
    let trace_file = trace.display().to_string();
    let ran = program::run(
        folder,
        [
            "run",
            "plan.wit",
            "--hole",
            "hole",
            "--model",
            &model,
            "--trace",
            &trace_file,
        ],
    );
    let events = fs::read_to_string(&trace).unwrap_or_default();
    let verdict = events
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find(|event| event["event"] == "verdict")
        .unwrap_or_default();
    fs::remove_dir_all(&scratch).unwrap();
    let list = |field: &str| verdict[field].as_array().cloned().unwrap_or_default();
    let reason = list("diagnostics").first().map_or_else(
        || ran.stderr.clone(),
        |first| {
            let code = first["code"].as_str().unwrap_or("-");
            format!("{code} {}", first["message"].as_str().unwrap_or_default())
        },
    );
    let fixes = list("repaired")
        .iter()
        .map(|fix| {
            let start = &fix["span"]["start"];
            let text = fix["replacement"].as_str().unwrap_or_default();
            format!("{}:{} `{}`", start["line"], start["column"], text.trim())
        })
        .collect();
    Ended {
        value: (ran.code == Some(0)).then(|| ran.stdout.trim_end().to_owned()),
        reason,
        fixes,
    }
}

/// Mistake → what was inserted, then mistake → what the author is told.
fn table(done: &BTreeMap<String, (&Claim, Ended)>) -> String {
    let width = done.keys().map(String::len).max().unwrap_or_default();
    let (repaired, left): (Vec<_>, Vec<_>) =
        (done.iter()).partition(|(_, (_, ended))| ended.value.is_some());
    let mut text = format!(
        "{} mistakes, {} repair themselves\n\nrepaired: what is inserted, where\n",
        done.len(),
        repaired.len()
    );
    for (case, (_, ended)) in repaired {
        let _ = writeln!(text, "  {case:width$}  {}", ended.fixes.join("  "));
    }
    text.push_str("\nleft to the author, who is told\n");
    for (case, (_, ended)) in left {
        let _ = writeln!(text, "  {case:width$}  {}", ended.reason);
    }
    text
}
