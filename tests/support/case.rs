//! A case: a folder with a plan, a snippet, and what must come of it. `tests/README.md` says what stands in the files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::program::{self, Ended};
use super::snapshot;
use super::stores;

/// `case.toml`: what must hold, written by a person. Blessing never touches it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Claim {
    /// Why the case exists.
    #[allow(dead_code, reason = "for readers")]
    pub(crate) note: Option<String>,
    /// How it must end.
    pub(crate) verdict: Verdict,
    /// Of a rejection: the last stage that may say no. An earlier one is as good.
    pub(crate) stage: Option<Stage>,
    /// Words that the diagnostics or the message must contain; `a|b` is either.
    #[serde(default)]
    pub(crate) words: Vec<String>,
    /// The value in WAVE, one line per call.
    pub(crate) value: Option<String>,
    /// Calls of granted functions, in order: `import.function(arguments as JSON)`.
    pub(crate) effects: Option<Vec<String>>,
    /// `--call`s; without them the entry is called with the manifest's arguments.
    #[serde(default)]
    pub(crate) calls: Vec<String>,
    /// `--arg`s, as `NAME=VALUE`.
    #[serde(default)]
    pub(crate) args: Vec<String>,
    /// Judge, don't run.
    #[serde(default)]
    pub(crate) check_only: bool,
    /// Of a rejection: the value when the same code is a model's answer, which may be repaired. `repairs.rs` holds it;
    /// without it nothing may repair the code.
    pub(crate) repaired: Option<String>,
    /// Run in a copy of the folder, where `NAME.db.sql` has become a database and `NAME.redb.toml` a store: the case writes, or
    /// starts from one of them.
    #[serde(default)]
    pub(crate) copied: bool,
    /// Texts that nothing may say: content of files, for one.
    #[serde(default)]
    pub(crate) never: Vec<String>,
    /// Layers of the verifier that are taken away, to see what the ones behind them do (`tests/layers` only).
    #[serde(default)]
    pub(crate) without: Vec<String>,
    /// Variables of the environment (`tests/layers` only).
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
}

/// How a case ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
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
pub(crate) enum Stage {
    Snippet,
    Compile,
    Link,
}

/// What came of a case.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) stage: Option<Stage>,
    pub(crate) value: Option<String>,
    pub(crate) effects: Option<Vec<String>>,
    /// Everything said about it: diagnostics in full, or the message.
    pub(crate) text: String,
    pub(crate) code: Option<i32>,
}

/// Reads `case.toml`.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn claim(folder: &Path) -> Result<Claim, String> {
    let file = folder.join("case.toml");
    let source =
        fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    toml::from_str(&source).map_err(|error| format!("{}: {error}", file.display()))
}

/// Runs a case and compares what came out with the claim and with `expected.txt`. `test` is what the command that
/// accepts another text names.
///
/// # Errors
/// The claims that are broken, or the difference.
pub(crate) fn run(folder: &Path, title: &str, test: &str) -> Result<(), String> {
    let claim = claim(folder)?;
    let of_layers = !claim.without.is_empty() || !claim.environment.is_empty();
    if of_layers && !title.starts_with("layers/") {
        return Err("`without` and `environment` are for the cases in tests/layers".to_owned());
    }
    let outcome = judge_and_run(folder, &claim, &[]);
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
        test,
        title,
    )
}

/// One process per case: `check` where nothing is to run, else `run`. A whole answer comes from a model that says it
/// at each attempt, so that it is read as one; its first attempt is what counts. `off` are layers that are taken away
/// beside those that the case names.
pub(crate) fn judge_and_run(folder: &Path, claim: &Claim, off: &[&str]) -> Outcome {
    if !claim.copied {
        return judge_and_run_in(folder, claim, off);
    }
    let copy = program::scratch();
    stores::copied(folder, &copy);
    let outcome = judge_and_run_in(&copy, claim, off);
    fs::remove_dir_all(&copy).unwrap();
    outcome
}

fn judge_and_run_in(folder: &Path, claim: &Claim, off: &[&str]) -> Outcome {
    let layers: Vec<&str> = (claim.without.iter().map(String::as_str))
        .chain(off.iter().copied())
        .collect();
    let layers = layers.join(",");
    let mut environment = vec![(program::LAYERS_OFF, layers.as_str())];
    let own = claim.environment.iter();
    environment.extend(own.map(|(name, value)| (name.as_str(), value.as_str())));
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
        let ended = program::run_with(
            folder,
            [
                "check", "plan.wit", "--hole", "hole", given[0], given[1], "--format", "json",
            ],
            &environment,
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
    // What the calls were given is compared.
    arguments.extend(["--trace-labels".to_owned(), "private,untrusted".to_owned()]);
    for call in &claim.calls {
        arguments.extend(["--call".to_owned(), call.clone()]);
    }
    for arg in &claim.args {
        arguments.extend(["--arg".to_owned(), arg.clone()]);
    }
    let ended = program::run_with(folder, arguments, &environment);
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
pub(crate) fn broken_claims(claim: &Claim, outcome: &Outcome) -> Vec<String> {
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
    for words in &claim.never {
        if outcome.text.contains(words)
            || outcome
                .value
                .as_ref()
                .is_some_and(|value| value.contains(words))
        {
            broken.push(format!("`{words}` is said"));
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
pub(crate) fn describe(outcome: &Outcome) -> String {
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
