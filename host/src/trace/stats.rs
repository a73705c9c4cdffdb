//! What a trace says in figures.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value as Json;

use super::read::Event;
use crate::diagnostic::{Cause, Stage};

/// Most names that a table tells apart (models, functions, limits); further ones are counted together. A trace is a file
/// that anyone may have written, and it must not fill the memory.
const MOST_NAMES: usize = 1000;

/// Where those are counted.
const OTHERS: &str = "(others)";

/// Most holes that are open at the same time.
const MOST_OPEN: usize = 10_000;

/// Figures of one or several traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Stats {
    /// Version of this form.
    pub schema: u32,
    /// Sessions by outcome; one that has not ended is `unfinished`.
    pub sessions: BTreeMap<String, u64>,
    /// Holes by outcome; one that has not ended is `unfinished`.
    pub holes: BTreeMap<String, u64>,
    /// What models were asked and answered, and what came of it.
    #[serde(flatten)]
    pub generations: Generations,
    /// Judgements of code that was given, not asked for.
    pub given: Given,
    /// Calls of accepted code by outcome; one that has not ended is `unfinished`.
    pub runs: BTreeMap<String, u64>,
    /// Milliseconds of these calls.
    pub run_millis: u64,
    /// Fuel of these calls.
    pub fuel: u64,
    /// Most bytes of memory that one of them had.
    pub memory: u64,
    /// Calls of the host by `import.function`.
    pub calls: BTreeMap<String, Calls>,
    /// Limits that were met, by their key; parts of the budget as `budget.KEY`.
    pub limits: BTreeMap<String, u64>,
    /// Lines that holes printed.
    pub log_lines: u64,
    /// The same figures for each model.
    pub models: BTreeMap<String, Generations>,
}

/// What models were asked and answered, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Generations {
    /// Prompts that were sent.
    pub prompts: u64,
    /// Answers that came.
    pub answers: u64,
    /// Requests that got no answer: refused, cut, unreachable.
    pub failed: u64,
    /// Of them by the kind of their error.
    pub failures: BTreeMap<String, u64>,
    /// Retries before them.
    pub failed_retries: u64,
    /// Answers that were accepted.
    pub accepted: u64,
    /// Answers that were rejected.
    pub rejected: u64,
    /// Rejected ones by stage.
    pub rejected_at: BTreeMap<String, u64>,
    /// Rejected ones by cause.
    pub causes: BTreeMap<String, u64>,
    /// Accepted ones to which the compiler's fixes were applied first.
    pub repaired: u64,
    /// Holes with at least one answer that was judged.
    pub holes_asked: u64,
    /// Of them those whose first answer was accepted.
    pub first_try: u64,
    /// `first-try` of `holes-asked`; null when there is none.
    pub first_try_share: Option<f64>,
    /// Holes by the number of their answers that were judged.
    pub attempts_per_hole: BTreeMap<u64, u64>,
    /// Holes with an accepted answer, by the number of answers before it.
    pub retries_until_accepted: BTreeMap<u64, u64>,
    /// Tokens that providers counted.
    pub tokens: Tokens,
    /// Tokens of answers whose provider did not count: a quarter of the bytes.
    pub tokens_estimated: Tokens,
    /// Tokens that the budget was charged with for failed requests: the most that they can have used.
    pub tokens_charged: Tokens,
    /// US dollars of answers and failed requests of models with a price.
    pub usd: f64,
    /// Answers and failed requests of models with a price.
    pub priced: u64,
    /// Milliseconds from request to last byte, or to the failure.
    pub model_millis: u64,
    /// Milliseconds of compiler and checks.
    pub judge_millis: u64,
}

/// Tokens of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Tokens {
    /// Of prompts.
    #[serde(rename = "in")]
    pub input: u64,
    /// Of answers.
    #[serde(rename = "out")]
    pub output: u64,
}

/// Judgements of code that was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Given {
    /// Accepted.
    pub accepted: u64,
    /// Rejected.
    pub rejected: u64,
}

/// Calls of one function of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Calls {
    /// How many.
    pub count: u64,
    /// Of them those that returned an `err`.
    pub errors: u64,
    /// Of them those that ended the hole: a limit, a trap.
    pub failed: u64,
    /// Milliseconds in the host.
    pub millis: u64,
}

/// A hole that has started and not ended.
#[derive(Default)]
struct Open {
    started: bool,
    model: Option<String>,
    /// Answers that were judged.
    judged: u64,
    /// Answers before the accepted one.
    retries: Option<u64>,
}

/// Counts events. Several traces can be counted together, one after the other.
#[derive(Default)]
pub struct Counter {
    stats: Stats,
    session: bool,
    open: BTreeMap<String, Open>,
    running: u64,
}

impl Counter {
    /// Counts one event.
    pub fn event(&mut self, event: &Event) {
        match event.name() {
            "session-start" => {
                self.end_trace();
                self.session = true;
            }
            "session-end" => {
                self.end_holes();
                if std::mem::take(&mut self.session) {
                    add(&mut self.stats.sessions, outcome(event));
                }
            }
            "hole-start" => {
                self.end_hole(event.path(), UNFINISHED);
                self.open(event.path()).started = true;
            }
            "hole-end" => self.end_hole(event.path(), outcome(event)),
            "prompt" => {
                let model = event.text("model").map(str::to_owned);
                self.both(model.as_deref(), |figures| figures.prompts += 1);
                self.open(event.path()).model = model;
            }
            "answer" => self.answer(event),
            "model-error" => self.unanswered(event),
            "verdict" => self.verdict(event),
            "run-start" => self.running += 1,
            "run-end" => {
                self.running = self.running.saturating_sub(1);
                add(&mut self.stats.runs, outcome(event));
                let number = |field| event.number(field).unwrap_or(0);
                grow(&mut self.stats.run_millis, number("millis"));
                grow(&mut self.stats.fuel, number("fuel"));
                self.stats.memory = self.stats.memory.max(number("memory"));
            }
            "call" => {
                let calls = named(&mut self.stats.calls, &function(event));
                calls.count += 1;
                calls.failed += u64::from(!event.get("error").is_null());
                calls.errors += u64::from(is_err(event.get("result")));
                grow(&mut calls.millis, event.number("millis").unwrap_or(0));
            }
            "limit" => {
                let name = event.text("name").unwrap_or("?");
                // Both have a `wall`.
                let budget = event.text("of") == Some("budget");
                let name = if budget {
                    format!("budget.{name}")
                } else {
                    name.to_owned()
                };
                add(&mut self.stats.limits, &name);
            }
            "log" => self.stats.log_lines += 1,
            _ => {}
        }
    }

    /// Ends one trace: what is still open in it did not end.
    pub fn end_trace(&mut self) {
        self.end_holes();
        if std::mem::take(&mut self.session) {
            add(&mut self.stats.sessions, UNFINISHED);
        }
    }

    /// The figures.
    pub fn finish(mut self) -> Stats {
        self.end_trace();
        let mut stats = self.stats;
        stats.schema = 1;
        stats.generations.share();
        stats.models.values_mut().for_each(Generations::share);
        stats
    }

    fn unanswered(&mut self, event: &Event) {
        let [input, output] = tokens(event);
        let usd = event.get("usd").as_f64();
        let number = |field| event.number(field).unwrap_or(0);
        let kind = event.text("kind").unwrap_or("?");
        self.both(event.text("model"), |figures| {
            figures.failed += 1;
            add(&mut figures.failures, kind);
            grow(&mut figures.failed_retries, number("retries"));
            grow(&mut figures.tokens_charged.input, input);
            grow(&mut figures.tokens_charged.output, output);
            figures.usd += usd.unwrap_or(0.0);
            figures.priced += u64::from(usd.is_some());
            grow(&mut figures.model_millis, number("millis"));
        });
    }

    fn answer(&mut self, event: &Event) {
        let [input, output] = tokens(event);
        let estimated = event.get("estimated").as_bool() == Some(true);
        let usd = event.get("usd").as_f64();
        let millis = event.number("millis").unwrap_or(0);
        let model = event.text("model").map(str::to_owned);
        self.both(model.as_deref(), |figures| {
            figures.answers += 1;
            let tokens = match estimated {
                true => &mut figures.tokens_estimated,
                false => &mut figures.tokens,
            };
            grow(&mut tokens.input, input);
            grow(&mut tokens.output, output);
            figures.usd += usd.unwrap_or(0.0);
            figures.priced += u64::from(usd.is_some());
            grow(&mut figures.model_millis, millis);
        });
        self.open(event.path()).model = model;
    }

    fn verdict(&mut self, event: &Event) {
        let accepted = event.text("verdict") == Some("accepted");
        if event.attempt().is_none() {
            let given = &mut self.stats.given;
            *(if accepted {
                &mut given.accepted
            } else {
                &mut given.rejected
            }) += 1;
            return;
        }
        let millis =
            ["compile", "link"].map(|part| event.get("millis").get(part).and_then(Json::as_u64));
        let millis = millis.into_iter().flatten().fold(0, u64::saturating_add);
        let open = self.open(event.path());
        if accepted {
            open.retries = Some(open.judged);
        }
        open.judged += 1;
        let model = event
            .text("model")
            .map(str::to_owned)
            .or(open.model.clone());
        let (stage, cause) = (event.text("stage").unwrap_or("?"), cause(event));
        let repaired = !event.list("repaired").is_empty();
        self.both(model.as_deref(), |figures| {
            grow(&mut figures.judge_millis, millis);
            if accepted {
                figures.accepted += 1;
                figures.repaired += u64::from(repaired);
            } else {
                figures.rejected += 1;
                add(&mut figures.rejected_at, stage);
                add(&mut figures.causes, &cause);
            }
        });
    }

    /// Counts for all models and for one.
    fn both(&mut self, model: Option<&str>, count: impl Fn(&mut Generations)) {
        count(&mut self.stats.generations);
        if let Some(model) = model {
            count(named(&mut self.stats.models, model));
        }
    }

    fn open(&mut self, path: &str) -> &mut Open {
        if self.open.len() >= MOST_OPEN && !self.open.contains_key(path) {
            self.end_holes();
        }
        self.open.entry(path.to_owned()).or_default()
    }

    fn end_holes(&mut self) {
        while let Some((path, _)) = self.open.first_key_value() {
            let path = path.clone();
            self.end_hole(&path, UNFINISHED);
        }
        for _ in 0..std::mem::take(&mut self.running) {
            add(&mut self.stats.runs, UNFINISHED);
        }
    }

    fn end_hole(&mut self, path: &str, outcome: &str) {
        let Some(open) = self.open.remove(path) else {
            return;
        };
        if open.started {
            add(&mut self.stats.holes, outcome);
        }
        if open.judged == 0 {
            return;
        }
        self.both(open.model.as_deref(), |figures| {
            figures.holes_asked += 1;
            figures.first_try += u64::from(open.retries == Some(0));
            *figures.attempts_per_hole.entry(open.judged).or_default() += 1;
            if let Some(retries) = open.retries {
                *figures.retries_until_accepted.entry(retries).or_default() += 1;
            }
        });
    }
}

impl Generations {
    fn share(&mut self) {
        if self.holes_asked > 0 {
            self.first_try_share = Some(self.first_try as f64 / self.holes_asked as f64);
        }
    }
}

/// Where something that has begun and not ended is counted.
const UNFINISHED: &str = "unfinished";

/// The cause of a rejection: as the event says it, or, in a trace of an older program, from its diagnostics.
pub(super) fn cause(event: &Event) -> String {
    if let Some(cause) = event.text("cause") {
        return super::figures::short(cause, 40);
    }
    let stage = match event.text("stage") {
        Some("snippet") => Stage::Snippet,
        Some("link") => Stage::Link,
        _ => Stage::Compile,
    };
    let errors = event.list("diagnostics").iter();
    let errors = errors.filter(|found| found.get("level").and_then(Json::as_str) == Some("error"));
    let codes = errors.map(|error| error.get("code").and_then(Json::as_str));
    Cause::of_codes(stage, codes).name().to_owned()
}

/// Tokens in and out.
pub(super) fn tokens(event: &Event) -> [u64; 2] {
    let tokens = event.get("tokens");
    ["in", "out"].map(|way| tokens.get(way).and_then(Json::as_u64).unwrap_or(0))
}

/// `import.function` of a call.
pub(super) fn function(event: &Event) -> String {
    let import = event.text("import").unwrap_or("?");
    let function = event.text("function").unwrap_or("?");
    match import == function {
        // A function of the world itself.
        true => function.to_owned(),
        false => format!("{import}.{function}"),
    }
}

/// Whether a result is the error of a WIT `result`.
fn is_err(result: &Json) -> bool {
    let masked = result.get("err").and_then(Json::as_bool);
    masked.unwrap_or_else(|| result.get("value").is_some_and(super::is_err))
}

fn outcome(event: &Event) -> &str {
    event.text("outcome").unwrap_or("?")
}

fn add(table: &mut BTreeMap<String, u64>, name: &str) {
    *named(table, name) += 1;
}

/// Adds up without an overflow: the numbers are a file's.
fn grow(sum: &mut u64, number: u64) {
    *sum = sum.saturating_add(number);
}

fn named<'a, T: Default>(table: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let name = super::figures::short(name, 200);
    let known = table.contains_key(&name) || table.len() < MOST_NAMES;
    table
        .entry(if known { name } else { OTHERS.to_owned() })
        .or_default()
}
