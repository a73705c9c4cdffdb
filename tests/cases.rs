//! Every folder `tests/cases/CATEGORY/NAME` is one case: a plan, a snippet, and what must come of it.
//! `tests/README.md` says what stands in the files and how to add one.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test reads its cases, starts the program and prints a table"
)]

mod support;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use support::case::{self, Claim, Outcome, Stage, Verdict, broken_claims};
use support::{folders, name, root, snapshot};

/// Prints the table by category instead of running anything.
const TABLE: &str = "--table";

fn main() -> ExitCode {
    let cases = root().join("tests/cases");
    let categories: Vec<(String, Vec<PathBuf>)> = (folders(&cases).iter())
        .map(|category| (name(category), folders(category)))
        .collect();
    assert!(!categories.is_empty(), "no cases in {}", cases.display());
    let table = table(&categories);
    if std::env::args().any(|argument| argument == TABLE) {
        print!("{table}");
        return ExitCode::SUCCESS;
    }
    let mut trials: Vec<Trial> = (categories.iter())
        .flat_map(|(category, folders)| folders.iter().map(move |folder| (category, folder)))
        .map(|(category, folder)| {
            let title = format!("{category}/{}", name(folder));
            let folder = folder.clone();
            Trial::test(title.clone(), move || {
                case::run(&folder, &title, "cases").map_err(Failed::from)
            })
        })
        .collect();
    trials.push(Trial::test("self-test/a-wrong-claim-fails", || {
        wrong_claims_fail().map_err(Failed::from)
    }));
    trials.push(Trial::test("readme/table", move || {
        snapshot::section(
            &root().join("tests/README.md"),
            "cases",
            &table,
            "cases",
            "readme/table",
        )
        .map_err(Failed::from)
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// How many cases each category has, and how they end.
fn table(categories: &[(String, Vec<PathBuf>)]) -> String {
    let mut text = String::from(
        "| category | cases | accepted | rejected | plan refused | trap or limit |\n|---|--:|--:|--:|--:|--:|\n",
    );
    let mut totals = [0; 5];
    for (category, folders) in categories {
        let mut counts = [folders.len(), 0, 0, 0, 0];
        for folder in folders {
            let claim = case::claim(folder).unwrap_or_else(|error| panic!("{error}"));
            counts[match claim.verdict {
                Verdict::Accepted => 1,
                Verdict::Rejected => 2,
                Verdict::Refused => 3,
                Verdict::Trap | Verdict::Limit | Verdict::Other => 4,
            }] += 1;
        }
        let _ = writeln!(
            text,
            "| {category} | {} |",
            counts.map(|n| n.to_string()).join(" | ")
        );
        totals = std::array::from_fn(|index| totals[index] + counts[index]);
    }
    let _ = writeln!(
        text,
        "| all | {} |",
        totals.map(|n| n.to_string()).join(" | ")
    );
    text
}

/// A runner that nothing can fail proves nothing: each kind of claim is broken once.
fn wrong_claims_fail() -> Result<(), String> {
    let outcome = |verdict, code| Outcome {
        verdict,
        stage: Some(Stage::Link),
        value: Some("5".to_owned()),
        effects: Some(vec!["log.emit(\"b\")".to_owned()]),
        text: "cannot find value `nope`".to_owned(),
        code: Some(code),
    };
    let claim = |source: &str| toml::from_str::<Claim>(source).unwrap();
    let right = claim(
        "verdict = 'accepted'\nvalue = '5'\nwords = ['a|find value']\neffects = ['log.emit(\"b\")']",
    );
    let kept = broken_claims(&right, &outcome(Verdict::Accepted, 0));
    if !kept.is_empty() {
        return Err(format!("a right claim fails: {kept:?}"));
    }
    for (source, verdict, code) in [
        ("verdict = 'rejected'", Verdict::Accepted, 0),
        ("verdict = 'accepted'", Verdict::Accepted, 1),
        ("verdict = 'accepted'\nvalue = '6'", Verdict::Accepted, 0),
        (
            "verdict = 'accepted'\nwords = ['found|seen']",
            Verdict::Accepted,
            0,
        ),
        ("verdict = 'accepted'\neffects = []", Verdict::Accepted, 0),
        (
            "verdict = 'rejected'\nstage = 'compile'",
            Verdict::Rejected,
            1,
        ),
    ] {
        if broken_claims(&claim(source), &outcome(verdict, code)).len() != 1 {
            return Err(format!("not noticed: {source}"));
        }
    }
    Ok(())
}
