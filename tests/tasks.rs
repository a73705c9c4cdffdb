//! Every folder `tests/tasks/SET/NAME` is a task as plans have them, with the answers that a model gave from the printed
//! prompt alone. They measure how friendly the scope is: `tests/README.md` has the tables and says how answers are collected.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test reads its tasks, runs them and prints tables"
)]

#[path = "tasks/judge.rs"]
mod judge;
#[path = "tasks/report.rs"]
mod report;
mod support;
#[path = "tasks/task.rs"]
mod task;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};

use report::Line;
use support::{root, snapshot};
use task::{SETS, Task, set_folder, tasks};

/// What this program does instead of testing, as its first argument says.
const MODES: &str = "--table | --prompts SET DIR | --record SET DIR MODEL | --collect SET";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["--table", ..] => sets()
            .and_then(|sets| section(&sets))
            .map(|text| print!("{text}")),
        ["--prompts", set, folder] => write_prompts(set, Path::new(folder)),
        ["--record", set, folder, model] => record(set, Path::new(folder), model),
        ["--collect", set] => collect(set),
        ["--prompts" | "--record" | "--collect", ..] => Err(format!("expected {MODES}")),
        _ => return test(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> ExitCode {
    let mut trials: Vec<Trial> = Vec::new();
    // Judged once, by whichever test needs it first.
    let judged: Arc<OnceLock<Result<Vec<Set>, String>>> = Arc::default();
    for set in SETS {
        for task in tasks(set) {
            trials.push(trial(format!("{set}/{}", task.name), move || {
                judge::is_well_formed(&task)
            }));
        }
        let judged = Arc::clone(&judged);
        trials.push(trial(format!("{set}/verdicts"), move || {
            let sets = judged.get_or_init(sets).as_ref().map_err(Clone::clone)?;
            (sets.iter().filter(|judged| judged.name == set)).try_for_each(verdicts_hold)
        }));
    }
    trials.push(trial("readme/tasks".to_owned(), move || {
        let sets = judged.get_or_init(sets).as_ref().map_err(Clone::clone)?;
        let readme = root().join("tests/README.md");
        snapshot::section(&readme, "tasks", &section(sets)?, "tasks", "readme/tasks")
    }));
    trials.push(trial(
        "self-test/counts".to_owned(),
        report::counts_are_right,
    ));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(title: String, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(title, move || test().map_err(Failed::from))
}

/// A set of tasks, its answers judged now.
struct Set {
    name: &'static str,
    lines: Vec<Line>,
}

fn sets() -> Result<Vec<Set>, String> {
    (SETS.iter())
        .map(|name| {
            let lines = judge::judge_all(&tasks(name))?;
            Ok(Set { name, lines })
        })
        .collect()
}

/// `verdicts.txt` is what comes out now; what was collected is complete.
fn verdicts_hold(set: &Set) -> Result<(), String> {
    let without = unanswered(&set.lines);
    if !without.is_empty() {
        let names = without.join(", ");
        eprintln!(
            "{}: {} tasks have no answer: {names}",
            set.name,
            without.len()
        );
    }
    let verdicts = set_folder(set.name).join("verdicts.txt");
    let text = report::write(&set.lines);
    if !text.is_empty() || verdicts.exists() {
        snapshot::check(&verdicts, &text, "tasks", &format!("{}/verdicts", set.name))?;
    }
    let Some(collected) = collected(set.name)? else {
        return Ok(());
    };
    if let Some(task) = without.first() {
        return Err(format!("the answers are collected, but `{task}` has none"));
    }
    let same =
        |now: &Line, then: &Line| now.task == then.task && now.answers.len() == then.answers.len();
    if collected.len() != set.lines.len()
        || !set
            .lines
            .iter()
            .zip(&collected)
            .all(|(now, then)| same(now, then))
    {
        return Err("collected.txt is of other tasks or answers".to_owned());
    }
    Ok(())
}

fn unanswered(lines: &[Line]) -> Vec<&str> {
    let without = lines.iter().filter(|line| line.answers.is_empty());
    without.map(|line| line.task.as_str()).collect()
}

/// The verdicts as they were when the answers were collected.
fn collected(set: &str) -> Result<Option<Vec<Line>>, String> {
    let file = collected_file(set);
    if !file.exists() {
        return Ok(None);
    }
    report::read(&task::read(&file)?).map(Some)
}

fn collected_file(set: &str) -> PathBuf {
    set_folder(set).join("collected.txt")
}

/// The tables of all sets.
fn section(sets: &[Set]) -> Result<String, String> {
    let mut text = Vec::new();
    for set in sets {
        let collected = collected(set.name)?;
        text.push(report::tables(set.name, collected.as_deref(), &set.lines));
    }
    Ok(text.join("\n"))
}

fn known(set: &str) -> Result<Vec<Task>, String> {
    if SETS.contains(&set) {
        return Ok(tasks(set));
    }
    Err(format!("the sets are {}", SETS.join(" and ")))
}

/// Writes the prompt of the next attempt of each task that needs one to `FOLDER/NAME.N.txt`.
fn write_prompts(set: &str, folder: &Path) -> Result<(), String> {
    let tasks = known(set)?;
    let prompts = judge::in_parallel(&tasks, judge::prompts)?;
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (task, prompts) in tasks.iter().zip(prompts) {
        let answered = task.recordings().len();
        if let Some(open) = prompts.get(answered) {
            let file = folder.join(format!("{}.{}.txt", task.name, answered + 1));
            fs::write(&file, open).map_err(|error| format!("{}: {error}", file.display()))?;
            println!("{}", file.display());
        }
    }
    Ok(())
}

/// Records `FOLDER/NAME.N.md` as the answer of `model` to the prompt of attempt N, for every task whose attempt N is next.
fn record(set: &str, folder: &Path, model: &str) -> Result<(), String> {
    if model.trim().is_empty() || model.contains('\n') {
        return Err("the model's name is one line".to_owned());
    }
    for task in known(set)? {
        let next = task.recordings().len() + 1;
        let file = folder.join(format!("{}.{next}.md", task.name));
        if !file.exists() {
            continue;
        }
        let answer = task::read(&file)?;
        let prompts = judge::prompts(&task)?;
        let Some(prompt) = prompts.get(next - 1) else {
            eprintln!(
                "{}: an answer is accepted or attempts are used up, attempt {next} is not asked for",
                task.name
            );
            continue;
        };
        let attempt = u32::try_from(next).unwrap();
        task.record(attempt, prompt, model, &answer)?;
        println!("{}", task.recording(attempt).display());
    }
    Ok(())
}

/// Keeps the verdicts of now as those of the day on which the answers were collected. Once.
fn collect(set: &str) -> Result<(), String> {
    let tasks = known(set)?;
    let lines = judge::judge_all(&tasks)?;
    let without = unanswered(&lines);
    if lines.is_empty() || !without.is_empty() {
        return Err(format!("without an answer: {}", without.join(", ")));
    }
    let file = collected_file(set);
    let failed = |error: std::io::Error| format!("{}: {error}", file.display());
    let mut made = fs::File::create_new(&file).map_err(failed)?;
    std::io::Write::write_all(&mut made, report::write(&lines).as_bytes()).map_err(failed)?;
    println!("{}", file.display());
    Ok(())
}
