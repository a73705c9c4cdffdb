//! Every folder of `examples/` is a test: its recorded answers, run as its README says, give its expected output, and
//! the trace shows what was rejected on the way.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the examples and starts the program"
)]

mod support;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

use support::{folders, name, program, root, snapshot};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trials: Vec<Trial> = folders(&root().join("examples"))
        .into_iter()
        .flat_map(|folder| {
            let (value, attempts) = (folder.clone(), folder);
            [
                Trial::test(format!("{}/value", name(&value)), move || {
                    gives_the_expected_value(&value).map_err(Failed::from)
                }),
                Trial::test(format!("{}/attempts", name(&attempts)), move || {
                    every_recorded_answer_is_judged(&attempts).map_err(Failed::from)
                }),
            ]
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Run from the root of the repository, as a reader of the README does.
fn gives_the_expected_value(example: &Path) -> Result<(), String> {
    let title = name(example);
    let ended = program::run(
        &root(),
        ["run".to_owned(), format!("examples/{title}/plan.wit")],
    );
    if ended.code != Some(0) {
        return Err(format!("exit code {:?}\n{}", ended.code, ended.stderr));
    }
    snapshot::check(
        &example.join("expected.txt"),
        &ended.stdout,
        "examples",
        &title,
    )
}

/// One verdict for each recorded answer, the last one accepted: a recording that is never asked for would prove nothing.
fn every_recorded_answer_is_judged(example: &Path) -> Result<(), String> {
    let title = name(example);
    let recorded = fs::read_dir(example.join("recorded"))
        .map_err(|error| format!("recorded: {error}"))?
        .count();
    let scratch = program::scratch();
    let trace = scratch.join("trace.jsonl");
    program::run(
        &root(),
        [
            "run".to_owned(),
            format!("examples/{title}/plan.wit"),
            "--trace".to_owned(),
            trace.display().to_string(),
        ],
    );
    let verdicts: Vec<String> = fs::read_to_string(&trace)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event"] == "verdict")
        .filter_map(|event| Some(event["verdict"].as_str()?.to_owned()))
        .collect();
    fs::remove_dir_all(&scratch).unwrap();
    let mut expected = vec!["rejected"; recorded.saturating_sub(1)];
    expected.push("accepted");
    if verdicts == expected {
        return Ok(());
    }
    Err(format!(
        "{recorded} recorded answers, but the verdicts are {verdicts:?}"
    ))
}
