//! Every folder `tests/cases/CATEGORY/NAME` is one case: a plan, a snippet, and what must come of it.
//! `tests/README.md` says what stands in the files and how to add one.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads its cases and starts the program"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use serde_json::Value;

use support::program::{self, Ended};
use support::{folders, name, root, snapshot};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cases = root().join("tests/cases");
    let mut trials: Vec<Trial> = folders(&cases)
        .iter()
        .flat_map(|category| folders(category))
        .map(|folder| {
            let title = format!("{}/{}", name(folder.parent().unwrap()), name(&folder));
            Trial::test(title.clone(), move || {
                run_case(&folder, &title).map_err(Failed::from)
            })
        })
        .collect();
    assert!(!trials.is_empty(), "no cases in {}", cases.display());
    trials.push(Trial::test("self-test/a-wrong-claim-fails", || {
        wrong_claims_fail().map_err(Failed::from)
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// `case.toml`: what must hold, written by a person. Blessing never touches it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Claim {
    /// Why the case exists.
    #[allow(dead_code, reason = "for readers")]
    note: Option<String>,
    /// How it must end.
    verdict: Verdict,
    /// Of a rejection: the last stage that may say no. An earlier one is as good.
    stage: Option<Stage>,
    /// Words that the diagnostics or the message must contain; `a|b` is either.
    #[serde(default)]
    words: Vec<String>,
    /// The value in WAVE, one line per call.
    value: Option<String>,
    /// Calls of granted functions, in order: `import.function(arguments as JSON)`.
    effects: Option<Vec<String>>,
    /// `--call`s; without them the entry is called with the manifest's arguments.
    #[serde(default)]
    calls: Vec<String>,
    /// `--arg`s, as `NAME=VALUE`.
    #[serde(default)]
    args: Vec<String>,
    /// Judge, don't run.
    #[serde(default)]
    check_only: bool,
    /// Of a rejection: the value when the same code is a model's answer, which may be repaired. `repairs.rs` holds it.
    #[allow(dead_code, reason = "for another test")]
    repaired: Option<String>,
}

/// How a case ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    /// The plan, the manifest or the arguments are at fault.
    Refused,
    /// The snippet is rejected.
    Rejected,
    /// Accepted and, unless only judged, a value came back.
    Accepted,
    /// The run ended in a trap.
    Trap,
    /// The run ended at a limit.
    Limit,
    /// None of these.
    Other,
}

/// Where a snippet is rejected, in the order of the stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    Snippet,
    Compile,
    Link,
}

/// What came of a case.
#[derive(Debug)]
struct Outcome {
    verdict: Verdict,
    stage: Option<Stage>,
    value: Option<String>,
    effects: Option<Vec<String>>,
    /// Everything said about it: diagnostics in full, or the message.
    text: String,
    code: Option<i32>,
}

fn run_case(folder: &Path, title: &str) -> Result<(), String> {
    let file = folder.join("case.toml");
    let source =
        fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let claim: Claim =
        toml::from_str(&source).map_err(|error| format!("{}: {error}", file.display()))?;
    let outcome = judge_and_run(folder, &claim);
    let broken = broken_claims(&claim, &outcome);
    if !broken.is_empty() {
        return Err(format!(
            "{}\nwhat came out:\n{}",
            broken.join("\n"),
            describe(&outcome)
        ));
    }
    snapshot::check(
        &folder.join("expected.txt"),
        &describe(&outcome),
        "cases",
        title,
    )
}

/// One process per case: `check` where nothing is to run, else `run`. A whole answer comes from a model that says it
/// at each attempt, so that it is read as one; its first attempt is what counts.
fn judge_and_run(folder: &Path, claim: &Claim) -> Outcome {
    let answered = folder.join("answer.md").exists();
    let given = if answered {
        ["--model", "command:cat answer.md"]
    } else {
        ["--snippet", "snippet.rs"]
    };
    let judged_only = !answered
        && (claim.check_only
            || claim.args.is_empty()
                && claim.calls.is_empty()
                && claim.effects.is_none()
                && matches!(claim.verdict, Verdict::Refused | Verdict::Rejected));
    if judged_only {
        let ended = program::run(
            folder,
            [
                "check", "plan.wit", "--hole", "hole", given[0], given[1], "--format", "json",
            ],
        );
        return judged(&ended);
    }
    let scratch = program::scratch();
    let trace = scratch.join("trace.jsonl");
    // A value is compared as WAVE, everything else is read from JSON.
    let format = if claim.verdict == Verdict::Accepted {
        "text"
    } else {
        "json"
    };
    let mut arguments: Vec<String> = [
        "run", "plan.wit", "--hole", "hole", given[0], given[1], "--format", format, "--trace",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(trace.display().to_string());
    for call in &claim.calls {
        arguments.extend(["--call".to_owned(), call.clone()]);
    }
    for arg in &claim.args {
        arguments.extend(["--arg".to_owned(), arg.clone()]);
    }
    let ended = program::run(folder, arguments);
    let effects = effects(&trace);
    fs::remove_dir_all(&scratch).unwrap();
    Outcome {
        effects: Some(effects),
        ..completed(&ended)
    }
}

/// Reads the answer of `check --format json`.
fn judged(ended: &Ended) -> Outcome {
    let Ok(report) = serde_json::from_str::<Value>(&ended.stdout) else {
        return unreadable(ended);
    };
    Outcome {
        verdict: match report["verdict"].as_str() {
            Some("accepted") => Verdict::Accepted,
            Some("rejected") => Verdict::Rejected,
            _ => Verdict::Other,
        },
        stage: Stage::deserialize(&report["stage"]).ok(),
        value: None,
        effects: None,
        text: rendered(&report["diagnostics"]),
        code: ended.code,
    }
}

/// Reads what `run` printed, in either format.
fn completed(ended: &Ended) -> Outcome {
    let report = serde_json::from_str::<Value>(&ended.stdout)
        .ok()
        .filter(|report| report["outcome"].is_string());
    let Some(report) = report else {
        if ended.code != Some(0) {
            return unreadable(ended);
        }
        return Outcome {
            verdict: Verdict::Accepted,
            stage: None,
            value: Some(ended.stdout.trim_end().to_owned()),
            effects: None,
            text: String::new(),
            code: ended.code,
        };
    };
    let mut text = report["message"].as_str().unwrap_or_default().to_owned();
    if let Some(limit) = report["limit"].as_object() {
        // `used` depends on when the limit was noticed, so it is no part of a snapshot.
        text = format!(
            "{} at {}",
            limit["name"].as_str().unwrap_or_default(),
            limit["at"]
        );
    }
    let trap = report["outcome"] == "trap";
    let log = report["log"]
        .as_array()
        .filter(|lines| trap && !lines.is_empty());
    if let Some(lines) = log {
        text.push_str("\n\nlog");
        let lines = lines.iter().filter_map(Value::as_str);
        lines.for_each(|line| {
            let _ = write!(text, "\n{line}");
        });
    }
    let refused = report["outcome"] == "error" && ended.code == Some(2);
    if refused {
        // What people are told has the place and the way out.
        text.clone_from(&ended.stderr);
    }
    // Code that was given is the only attempt.
    let attempt = &report["attempts"][0];
    if attempt["diagnostics"].is_array() {
        text = rendered(&attempt["diagnostics"]);
    }
    Outcome {
        verdict: match report["outcome"].as_str() {
            Some("ok") => Verdict::Accepted,
            Some("rejected") => Verdict::Rejected,
            Some("trap") => Verdict::Trap,
            Some("limit") => Verdict::Limit,
            _ if refused => Verdict::Refused,
            _ => Verdict::Other,
        },
        stage: Stage::deserialize(&attempt["stage"]).ok(),
        value: None,
        effects: None,
        text,
        code: ended.code,
    }
}

/// What the exit code alone tells, when there is nothing to parse.
fn unreadable(ended: &Ended) -> Outcome {
    Outcome {
        verdict: match ended.code {
            Some(1) => Verdict::Rejected,
            Some(2) => Verdict::Refused,
            _ => Verdict::Other,
        },
        stage: None,
        value: None,
        effects: None,
        text: format!("{}{}", ended.stdout, ended.stderr),
        code: ended.code,
    }
}

fn rendered(diagnostics: &Value) -> String {
    let all = diagnostics
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let texts: Vec<&str> = all
        .iter()
        .filter_map(|diagnostic| diagnostic["rendered"].as_str())
        .map(str::trim_end)
        .collect();
    texts.join("\n\n")
}

/// The `call` events of a trace, without the implicit console.
fn effects(trace: &PathBuf) -> Vec<String> {
    fs::read_to_string(trace)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|event| event["event"] == "call" && event["import"] != "console")
        .map(|event| {
            // Each stands with its labels; a long one is cut and has no `value`.
            let arguments: Vec<String> = event["arguments"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|argument| json(argument.get("value").unwrap_or(argument)))
                .collect();
            let text = |field: &str| event[field].as_str().unwrap_or_default().to_owned();
            let function = text("function");
            let import = text("import");
            // A function of the world itself is an import of its own.
            let callee = if import == function {
                function
            } else {
                format!("{import}.{function}")
            };
            format!("{callee}({})", arguments.join(", "))
        })
        .collect()
}

/// JSON on one line, with a space behind each comma as in WAVE.
fn json(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(json).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// What of the claim does not hold, a sentence each.
fn broken_claims(claim: &Claim, outcome: &Outcome) -> Vec<String> {
    let mut broken = Vec::new();
    let earlier = claim.verdict == Verdict::Rejected && outcome.verdict == Verdict::Refused;
    if claim.verdict != outcome.verdict && !earlier {
        broken.push(format!(
            "claimed {:?}, but it is {:?}",
            claim.verdict, outcome.verdict
        ));
    }
    let code = match outcome.verdict {
        Verdict::Accepted => Some(0),
        Verdict::Rejected => Some(1),
        Verdict::Refused => Some(2),
        Verdict::Trap | Verdict::Limit => Some(4),
        Verdict::Other => None,
    };
    if code.is_some() && code != outcome.code {
        broken.push(format!(
            "exit code {:?} does not fit {:?}",
            outcome.code, outcome.verdict
        ));
    }
    if let (Some(latest), Some(stage)) = (claim.stage, outcome.stage)
        && stage > latest
    {
        broken.push(format!(
            "claimed to be rejected by {latest:?} or before, but it was {stage:?}"
        ));
    }
    for words in &claim.words {
        if !words.split('|').any(|word| outcome.text.contains(word)) {
            broken.push(format!("nothing says `{words}`"));
        }
    }
    if let (Some(claimed), Some(value)) = (&claim.value, &outcome.value)
        && claimed != value
    {
        broken.push(format!("claimed the value {claimed}, but it is {value}"));
    }
    if let Some(claimed) = &claim.effects {
        let seen = outcome.effects.as_deref().unwrap_or_default();
        if claimed != seen {
            broken.push(format!(
                "claimed other calls:\n{}",
                snapshot::difference(&lines(claimed), &lines(seen))
            ));
        }
    }
    broken
}

fn lines(texts: &[String]) -> String {
    texts.iter().fold(String::new(), |mut all, text| {
        let _ = writeln!(all, "{text}");
        all
    })
}

/// The text of a snapshot.
fn describe(outcome: &Outcome) -> String {
    let mut text = format!("{:?}", outcome.verdict).to_lowercase();
    if let Some(stage) = outcome.stage {
        let _ = write!(text, " by {}", format!("{stage:?}").to_lowercase());
    }
    text.push('\n');
    if let Some(value) = &outcome.value {
        let _ = writeln!(text, "\n{value}");
    }
    if !outcome.text.is_empty() {
        let _ = writeln!(text, "\n{}", outcome.text.trim_end());
    }
    if let Some(effects) = outcome
        .effects
        .as_deref()
        .filter(|effects| !effects.is_empty())
    {
        let _ = write!(text, "\ncalls\n{}", lines(effects));
    }
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
