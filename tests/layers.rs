//! What each layer of the verifier is needed for.
//!
//! The folders of `tests/layers` are cases in which the layers in front of one are taken away, so that it has to hold
//! alone. The table of mutations takes every layer away once and counts the cases, of those and of `tests/cases`, that
//! fail then: a layer that no case needs is either untested or useless.
//!
//!     cargo test -p lacuna-weakened --test layers                # the cases; of each layer some witnesses
//!     cargo test -p lacuna-weakened --test layers -- --table     # every case without every layer: the whole table
//!
//! With `BLESS=1` the second writes the witnesses and the table in `tests/README.md`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test reads its cases, starts the program and prints a table"
)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;

use libtest_mimic::{Arguments, Failed, Trial};

use support::case::{self, broken_claims, describe};
use support::{folders, name, root, snapshot};

/// The layers, in the order in which a snippet meets them, and what each is.
const LAYERS: [(&str, &str); 9] = [
    ("extract", "code is found in an answer"),
    ("screen", "the token screen before any parser"),
    (
        "confinement",
        "Landlock, no environment, limits of the compiler",
    ),
    ("std", "the curated `std`, `core`, `alloc`"),
    ("lint", "`-F unsafe_code`"),
    ("dep-info", "the list of opened files is the expected one"),
    ("spans", "only the snippet's places and advice are shown"),
    (
        "link",
        "imports, exports, sections and features against the scope",
    ),
    ("world", "a world that the module brings is dropped"),
];

/// Computes the whole table instead of running the tests.
const TABLE: &str = "--table";
/// The cases that fail without a layer, a line each: `LAYER CASE`.
const WITNESSES: &str = "tests/weakened/witnesses.txt";
/// Witnesses of each layer that are run again with every test.
const RUN_AGAIN: usize = 3;

fn main() -> ExitCode {
    let cases = cases();
    if std::env::args().any(|argument| argument == TABLE) {
        return whole_table(&cases);
    }
    let own = cases
        .iter()
        .filter(|(title, _)| title.starts_with("layers/"));
    let mut trials: Vec<Trial> = own
        .map(|(title, folder)| {
            let (title, folder) = (title.clone(), folder.clone());
            Trial::test(title.clone(), move || {
                case::run(&folder, &title, "layers").map_err(Failed::from)
            })
        })
        .collect();
    let text = fs::read_to_string(root().join(WITNESSES)).unwrap_or_default();
    for (layer, _) in LAYERS {
        let of_layer = text.lines().filter_map(|line| {
            let (of, title) = line.split_once(' ')?;
            (of == layer).then(|| title.to_owned())
        });
        let titles: Vec<String> = of_layer.collect();
        let cases = cases.clone();
        trials.push(Trial::test(format!("without/{layer}"), move || {
            witnesses_fail(layer, &titles, &cases).map_err(Failed::from)
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All cases by their title: `escape/visualizer`, `layers/link/foreign-import`.
fn cases() -> BTreeMap<String, PathBuf> {
    let below = |above: &str, prefix: &str| -> Vec<(String, PathBuf)> {
        let categories = folders(&root().join(above)).into_iter();
        let folders = categories.flat_map(|category| folders(&category));
        folders
            .map(|folder| {
                let category = name(folder.parent().unwrap());
                (format!("{prefix}{category}/{}", name(&folder)), folder)
            })
            .collect()
    };
    let mut all: BTreeMap<String, PathBuf> = below("tests/cases", "").into_iter().collect();
    all.extend(below("tests/layers", "layers/"));
    all
}

/// How a case fails without a layer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// A claim is broken: another verdict, another value, a word missing.
    Claim,
    /// What is claimed holds, and something else is said.
    Text,
}

/// Runs a case without `layer`.
fn fails(folder: &Path, layer: &str) -> Result<Option<Failure>, String> {
    let claim = case::claim(folder)?;
    // A program that hangs or dies is a failed case, and none of the others may be lost for it.
    let run = AssertUnwindSafe(|| case::judge_and_run(folder, &claim, &[layer]));
    let Ok(outcome) = std::panic::catch_unwind(run) else {
        return Ok(Some(Failure::Claim));
    };
    if !broken_claims(&claim, &outcome).is_empty() {
        return Ok(Some(Failure::Claim));
    }
    let expected = fs::read_to_string(folder.join("expected.txt")).unwrap_or_default();
    Ok((expected != describe(&outcome)).then_some(Failure::Text))
}

/// Runs the first of the kept witnesses of a layer: each must fail without it.
fn witnesses_fail(
    layer: &str,
    titles: &[String],
    cases: &BTreeMap<String, PathBuf>,
) -> Result<(), String> {
    let again = "run BLESS=1 cargo test -p lacuna-weakened --test layers -- --table";
    if titles.is_empty() {
        return Err(format!(
            "no case needs the layer `{layer}`; if that is new, {again}"
        ));
    }
    for title in titles.iter().take(RUN_AGAIN) {
        let folder = cases
            .get(title)
            .ok_or_else(|| format!("the witness {title} is gone; {again}"))?;
        if fails(folder, layer)?.is_none() {
            return Err(format!(
                "{title} holds without the layer `{layer}`; {again}"
            ));
        }
    }
    Ok(())
}

/// Every case without every layer.
fn whole_table(cases: &BTreeMap<String, PathBuf>) -> ExitCode {
    let mut table = String::from(
        "| layer | what it is | cases that fail without it | of them with a broken claim |\n|---|---|--:|--:|\n",
    );
    let mut witnesses = String::new();
    let mut useless = false;
    // A hanging program panics in its thread; the table says what matters of that.
    std::panic::set_hook(Box::new(|_| {}));
    for (layer, what) in LAYERS {
        let found = all_that_fail(cases, layer);
        let claims = found
            .iter()
            .filter(|(_, failure)| *failure == Failure::Claim);
        let _ = writeln!(
            table,
            "| {layer} | {what} | {} | {} |",
            found.len(),
            claims.count()
        );
        // Those with a broken claim say more; of the rest only as many as are run again.
        let mut lines: Vec<_> = found.iter().collect();
        lines.sort_by_key(|(title, failure)| {
            (
                *failure == Failure::Text,
                !title.starts_with("layers/"),
                title.as_str(),
            )
        });
        for (title, _) in lines {
            let _ = writeln!(witnesses, "{layer} {title}");
        }
        useless |= found.is_empty();
        eprintln!("{layer}: {} of {}", found.len(), cases.len());
    }
    print!("{table}");
    if snapshot::blessing() {
        fs::write(root().join(WITNESSES), witnesses).unwrap();
        let readme = root().join("tests/README.md");
        snapshot::section(&readme, "layers", &table, "layers", "--table").unwrap();
    }
    if useless {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// The cases that fail without `layer`, on as many threads as there are cores.
fn all_that_fail(cases: &BTreeMap<String, PathBuf>, layer: &str) -> Vec<(String, Failure)> {
    let queue = Mutex::new(cases.iter());
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap().next();
                    let Some((title, folder)) = next else { break };
                    let failure = fails(folder, layer).unwrap_or_else(|error| panic!("{error}"));
                    if let Some(failure) = failure {
                        found.lock().unwrap().push((title.clone(), failure));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    found
}
