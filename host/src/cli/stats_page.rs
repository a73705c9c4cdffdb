//! The figures of a trace as one screen.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::diagnostic::{Cause, escape_controls};
use crate::trace::figures::{count, size, time, usd};
use crate::trace::{Generations, Stats};

/// Stages at which code is rejected, in their order.
const STAGES: [&str; 3] = ["snippet", "compile", "link"];

/// The page.
pub(super) fn render(stats: &Stats) -> String {
    let mut page = Page(String::new());
    page.row("sessions", &outcomes(&stats.sessions));
    page.row("holes", &outcomes(&stats.holes));
    page.generations(&stats.generations);
    let given = stats.given;
    if given.accepted + given.rejected > 0 {
        let (accepted, rejected) = (given.accepted, given.rejected);
        page.row(
            "given code",
            &format!("{accepted} accepted, {rejected} rejected"),
        );
    }
    let mut runs = outcomes(&stats.runs);
    if !stats.runs.is_empty() {
        let (millis, memory) = (time(stats.run_millis), size(stats.memory));
        let _ = write!(runs, ", {millis}, {} fuel, {memory} at most", stats.fuel);
    }
    page.row("runs", &runs);
    let calls: u64 = stats.calls.values().map(|calls| calls.count).sum();
    page.row("host calls", &calls.to_string());
    for (name, calls) in &stats.calls {
        let (errors, failed) = (calls.errors, calls.failed);
        let text = format!(
            "{}, {errors} returned an error, {failed} failed, {}",
            calls.count,
            time(calls.millis)
        );
        page.row(&format!("  {name}"), &text);
    }
    if stats.log_lines > 0 {
        page.row("log", &count(stats.log_lines, "line"));
    }
    page.row("limits met", &list(&stats.limits, &[]));
    if stats.models.len() > 1 {
        for (name, generations) in &stats.models {
            page.0.push('\n');
            page.0 += &escape_controls(&format!("{name}\n"));
            page.generations(generations);
        }
    }
    page.0
}

struct Page(String);

impl Page {
    fn row(&mut self, name: &str, text: &str) {
        let row = format!("{name:<18}  {text}");
        self.0 += &escape_controls(row.trim_end());
        self.0.push('\n');
    }

    fn generations(&mut self, of: &Generations) {
        let unanswered = of.prompts.saturating_sub(of.answers);
        let mut answers = format!(
            "{}: {} accepted, {} rejected",
            of.answers, of.accepted, of.rejected
        );
        if unanswered > 0 {
            let _ = write!(answers, "; {} without one", count(unanswered, "prompt"));
        }
        self.row("answers", &answers);
        if of.failed > 0 {
            let retries = match of.failed_retries {
                0 => String::new(),
                some => format!(
                    ", after {}",
                    match some {
                        1 => "1 retry".to_owned(),
                        some => format!("{some} retries"),
                    }
                ),
            };
            let failed = format!("{}: {}{retries}", of.failed, list(&of.failures, &[]));
            self.row("  failed", &failed);
        }
        if of.rejected > 0 {
            self.row("  rejected at", &list(&of.rejected_at, &STAGES));
            self.row(
                "  rejected for",
                &list(&of.causes, &Cause::ALL.map(Cause::name)),
            );
        }
        if of.accepted > 0 {
            let repaired = of.repaired;
            self.row(
                "  repaired first",
                &format!("{repaired} by the compiler's fixes"),
            );
        }
        if let Some(share) = of.first_try_share {
            self.row(
                "first try",
                &format!(
                    "{} of {} holes, {:.1} %",
                    of.first_try,
                    of.holes_asked,
                    share * 100.0
                ),
            );
            self.row("attempts per hole", &histogram(&of.attempts_per_hole));
        }
        if !of.retries_until_accepted.is_empty() {
            self.row("retries, accepted", &histogram(&of.retries_until_accepted));
        }
        let (known, guessed) = (of.tokens, of.tokens_estimated);
        let mut tokens = format!("{} in, {} out", known.input, known.output);
        if guessed.input > 0 || guessed.output > 0 {
            let _ = write!(
                tokens,
                "; estimated {} in, {} out",
                guessed.input, guessed.output
            );
        }
        let charged = of.tokens_charged;
        if charged.input > 0 || charged.output > 0 {
            let (input, output) = (charged.input, charged.output);
            let _ = write!(
                tokens,
                "; charged to the budget for failed requests {input} in, {output} out"
            );
        }
        self.row("tokens", &tokens);
        let asked = of.answers.saturating_add(of.failed);
        let at_most = if of.failed > 0 { "at most " } else { "" };
        let cost = match asked.saturating_sub(of.priced) {
            0 => format!("{at_most}{}", usd(of.usd)),
            all if all == asked => "not known: no model has a price".to_owned(),
            some => format!(
                "{at_most}{}; {} without a price",
                usd(of.usd),
                count(some, if of.failed > 0 { "request" } else { "answer" })
            ),
        };
        if asked > 0 {
            self.row("cost", &cost);
        }
        let (model, judge) = (time(of.model_millis), time(of.judge_millis));
        self.row("time", &format!("models {model}, judging {judge}"));
    }
}

/// `3: 2 ok, 1 trap`.
fn outcomes(table: &BTreeMap<String, u64>) -> String {
    let all: u64 = table.values().sum();
    match table.is_empty() {
        true => "0".to_owned(),
        false => {
            let parts = table
                .iter()
                .map(|(name, number)| format!("{number} {name}"));
            format!("{all}: {}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// `compile 2, link 1`, names of `order` first and in that order.
fn list(table: &BTreeMap<String, u64>, order: &[&str]) -> String {
    let first = order.iter().filter_map(|name| table.get_key_value(*name));
    let rest = table
        .iter()
        .filter(|(name, _)| !order.contains(&name.as_str()));
    let parts = first.chain(rest);
    let parts: Vec<String> = parts
        .map(|(name, number)| format!("{name} {number}"))
        .collect();
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

/// `1.33 on average (1: 2, 2: 1)`.
fn histogram(table: &BTreeMap<u64, u64>) -> String {
    let holes: u64 = table.values().sum();
    let sum: u64 = table.iter().map(|(number, holes)| number * holes).sum();
    let average = sum as f64 / holes.max(1) as f64;
    let parts: Vec<String> = table
        .iter()
        .map(|(number, holes)| format!("{number}: {holes}"))
        .collect();
    format!("{average:.2} on average ({})", parts.join(", "))
}
