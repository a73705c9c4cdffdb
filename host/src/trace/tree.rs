//! A trace as a tree that people read: holes by their place, attempts below them, events below those.
//!
//! Lines are given out as events come in, so a trace of any size is shown, and one that is still being written. Every text
//! of a trace was written by a model, a hole or a server: it comes out in one line, cut and without control characters,
//! or in full behind a mark.

use std::io;

use serde_json::Value as Json;

use super::figures::{count, hash, short, size, text_size, time, usd, value};
use super::read::Event;
use crate::diagnostic::escape_controls;

/// Characters of a text that is shown in short.
const SHORT: usize = 100;

/// Diagnostics of a verdict that are shown in short.
const DIAGNOSTICS: usize = 3;

/// How deep paths are indented at most: a trace says what it wants.
const DEEPEST: usize = 16;

/// What a line is about, for whoever colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Nothing special.
    Plain,
    /// Something went well.
    Good,
    /// Something went wrong.
    Bad,
    /// Of less importance.
    Dim,
}

/// Makes lines of events.
pub struct Tree<'a> {
    line: &'a mut dyn FnMut(Tone, &str) -> io::Result<()>,
    full: bool,
    path: String,
    attempt: Option<u64>,
    running: bool,
    open: bool,
}

impl<'a> Tree<'a> {
    /// Each line goes to `line`, without its end. With `full`, prompts, answers, code and diagnostics are shown whole.
    pub fn new(full: bool, line: &'a mut dyn FnMut(Tone, &str) -> io::Result<()>) -> Self {
        Self {
            line,
            full,
            path: String::new(),
            attempt: None,
            running: false,
            open: false,
        }
    }

    /// Shows one event.
    ///
    /// # Errors
    /// What `line` says.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        match event.name() {
            "session-start" => return self.session_start(event),
            "session-end" => return self.session_end(event),
            "hole-start" => return self.hole_start(event),
            _ => {}
        }
        self.enter(event)?;
        match event.name() {
            "prompt" => self.prompt(event),
            "answer" => self.answer(event),
            "model-error" => self.model_error(event),
            "note" => {
                let text = self.text(event.get("text"));
                self.say(Tone::Dim, &format!("note    {text}"))
            }
            "verdict" => self.verdict(event),
            "run-start" => self.run_start(event),
            "run-end" => self.run_end(event),
            "call" => self.call(event),
            "approval" => self.approval(event),
            "flow" => {
                let rule = short(event.text("rule").unwrap_or("?"), SHORT);
                self.say(Tone::Bad, &format!("refused: {rule}"))
            }
            "log" => {
                let text = self.text(event.get("text"));
                self.say(Tone::Plain, &format!("log | {text}"))
            }
            "limit" => self.say(
                Tone::Bad,
                &format!(
                    "limit {} reached: {} of {}",
                    short(event.text("name").unwrap_or("?"), SHORT),
                    value(event.get("used"), SHORT),
                    value(event.get("at"), SHORT)
                ),
            ),
            "hole-end" => {
                self.running = false;
                self.attempt = None;
                let outcome = outcome(event);
                self.say(tone(&outcome), &format!("ended: {outcome}"))
            }
            _ => self.other(event),
        }
    }

    /// Says what a trace that ends here leaves open; `cut` when it ends in the middle of a line.
    ///
    /// # Errors
    /// What `line` says.
    pub fn finish(&mut self, cut: bool) -> io::Result<()> {
        if cut {
            (self.line)(Tone::Dim, "the last line is not complete")?;
        }
        if self.open {
            (self.line)(
                Tone::Dim,
                "the session has not ended: it still runs, or was cut off",
            )?;
        }
        Ok(())
    }

    fn session_start(&mut self, event: &Event) -> io::Result<()> {
        self.path.clear();
        self.attempt = None;
        self.running = false;
        self.open = true;
        let version = event.get("versions").get("lacuna").and_then(Json::as_str);
        let mut line = format!("session of lacuna {}", short(version.unwrap_or("?"), 30));
        if let Some(plan) = event.text("plan") {
            line += &format!(", plan {}", hash(plan));
        }
        if let Some(manifest) = event.text("manifest") {
            line += &format!(", manifest {}", hash(manifest));
        }
        (self.line)(Tone::Plain, &line)
    }

    fn session_end(&mut self, event: &Event) -> io::Result<()> {
        self.open = false;
        let outcome = outcome(event);
        let mut line = format!("session ended: {outcome}");
        let spent = event.get("spent");
        if let Some(calls) = spent.get("model-calls").and_then(Json::as_u64) {
            line += &format!(", {}", count(calls, "model call"));
        }
        if let Some(tokens) = spent.get("tokens").and_then(Json::as_u64) {
            line += &format!(", {}", count(tokens, "token"));
        }
        if let Some(paid) = spent
            .get("usd")
            .and_then(Json::as_f64)
            .filter(|usd| *usd > 0.0)
        {
            line += &format!(", {}", usd(paid));
        }
        if let Some(millis) = event.number("ms") {
            line += &format!(", {}", time(millis));
        }
        (self.line)(tone(&outcome), &line)
    }

    fn hole_start(&mut self, event: &Event) -> io::Result<()> {
        self.path = event.path().to_owned();
        self.attempt = None;
        self.running = false;
        self.header("")?;
        for signature in event.list("type") {
            if let Some(signature) = signature.as_str() {
                self.say(Tone::Plain, &short(signature, SHORT))?;
            }
        }
        for grant in event.list("grants") {
            // Every hole has the console, and it gives no authority.
            if grant.get("implicit").and_then(Json::as_bool) == Some(true) {
                continue;
            }
            let name = grant.get("import").and_then(Json::as_str).unwrap_or("?");
            let functions = grant.get("functions").and_then(Json::as_array);
            let functions: Vec<&str> = functions
                .into_iter()
                .flatten()
                .filter_map(Json::as_str)
                .collect();
            let line = format!(
                "granted {}: {}",
                short(name, SHORT),
                short(&functions.join(", "), SHORT)
            );
            self.say(Tone::Dim, &line)?;
        }
        Ok(())
    }

    /// Names hole and attempt again when they are not those of the line before.
    fn enter(&mut self, event: &Event) -> io::Result<()> {
        if event.path() != self.path {
            self.path = event.path().to_owned();
            self.attempt = None;
            self.running = matches!(
                event.name(),
                "call" | "log" | "limit" | "approval" | "flow" | "run-end"
            );
            self.header(" (goes on)")?;
        }
        if event.attempt().is_some() && event.attempt() != self.attempt {
            self.running = false;
            self.attempt = None;
            let number = event.attempt().unwrap_or_default();
            self.say(Tone::Plain, &format!("attempt {number}"))?;
        }
        self.attempt = event.attempt();
        Ok(())
    }

    fn prompt(&mut self, event: &Event) -> io::Result<()> {
        let text = event.get("text");
        let mut parts = vec![size(text_size(text))];
        if let Some(tokens) = event.number("tokens") {
            parts.push(format!("about {}", count(tokens, "token")));
        }
        parts.extend(event.text("hash").map(hash));
        if let Some(model) = event.text("model") {
            parts.push(format!("to {}", short(model, SHORT)));
        }
        self.say(Tone::Plain, &format!("prompt  {}", parts.join(", ")))?;
        self.whole(text)
    }

    fn answer(&mut self, event: &Event) -> io::Result<()> {
        let mut parts = Vec::new();
        let tokens = event.get("tokens");
        let tokens = ["in", "out"].map(|way| tokens.get(way).and_then(Json::as_u64));
        if let [Some(input), Some(output)] = tokens {
            let estimated = event.get("estimated").as_bool() == Some(true);
            let about = if estimated { "about " } else { "" };
            parts.push(format!("{about}{input} tokens in, {output} out"));
        }
        parts.extend(event.get("usd").as_f64().map(usd));
        parts.extend(event.number("millis").map(time));
        parts.extend(event.text("stop-reason").map(|reason| short(reason, 30)));
        self.say(Tone::Plain, &format!("answer  {}", parts.join(", ")))?;
        self.whole(event.get("text"))
    }

    fn model_error(&mut self, event: &Event) -> io::Result<()> {
        let mut parts = vec![short(event.text("kind").unwrap_or("?"), 40)];
        match event.number("retries") {
            None | Some(0) => {}
            Some(1) => parts.push("after 1 retry".to_owned()),
            Some(retries) => parts.push(format!("after {retries} retries")),
        }
        parts.extend(event.number("millis").map(time));
        let [input, output] = super::stats::tokens(event);
        if input > 0 || output > 0 {
            parts.push(format!(
                "charged to the budget: {input} tokens in, {output} out"
            ));
        }
        let paid = event.get("usd").as_f64().filter(|usd| *usd > 0.0);
        parts.extend(paid.map(usd));
        self.say(Tone::Bad, &format!("failed  {}", parts.join(", ")))?;
        let message = self.text(event.get("message"));
        self.deeper(Tone::Plain, &message)
    }

    fn verdict(&mut self, event: &Event) -> io::Result<()> {
        let millis =
            ["compile", "link"].map(|part| event.get("millis").get(part).and_then(Json::as_u64));
        let millis: u64 = millis.into_iter().flatten().fold(0, u64::saturating_add);
        let accepted = event.text("verdict") == Some("accepted");
        let line = match accepted {
            true => {
                let component = event.get("hash").get("component").and_then(Json::as_str);
                let component = component.map(|hash| format!(", component {}", self::hash(hash)));
                format!(
                    "accepted in {}{}",
                    time(millis),
                    component.unwrap_or_default()
                )
            }
            false => {
                let stage = short(event.text("stage").unwrap_or("?"), 20);
                let cause = super::stats::cause(event);
                format!("rejected at {stage} in {}: {cause}", time(millis))
            }
        };
        let tone = if accepted { Tone::Good } else { Tone::Bad };
        self.say(tone, &line)?;
        for fix in event.list("repaired") {
            let text = fix.get("replacement").and_then(Json::as_str);
            let text = short(text.unwrap_or_default(), SHORT);
            self.deeper(
                Tone::Dim,
                &format!(
                    "the compiler's fix was applied at {}: `{text}`",
                    place(fix.get("span").unwrap_or(&Json::Null))
                ),
            )?;
        }
        let diagnostics = event.list("diagnostics");
        let most = if self.full { usize::MAX } else { DIAGNOSTICS };
        for diagnostic in diagnostics.iter().take(most) {
            self.diagnostic(diagnostic)?;
        }
        let more = diagnostics.len().saturating_sub(most) as u64;
        let more = more.saturating_add(event.number("omitted").unwrap_or(0));
        if more > 0 {
            self.deeper(Tone::Dim, &format!("… and {more} more"))?;
        }
        if event.get("code").is_null() {
            return Ok(());
        }
        self.whole(event.get("code"))
    }

    fn diagnostic(&mut self, diagnostic: &Json) -> io::Result<()> {
        let text = |field: &str| diagnostic.get(field).and_then(Json::as_str);
        if let Some(rendered) = text("rendered").filter(|text| self.full && !text.is_empty()) {
            return self.block(rendered);
        }
        let mut line = short(text("level").unwrap_or("error"), 20);
        if let Some(code) = text("code") {
            line += &format!("[{}]", short(code, 60));
        }
        let spans = diagnostic.get("spans").and_then(Json::as_array);
        if let Some(span) = spans.and_then(|spans| spans.first()) {
            line += &format!(" at {}", place(span));
        }
        line += &format!(": {}", short(text("message").unwrap_or_default(), SHORT));
        self.deeper(Tone::Plain, &line)
    }

    fn run_start(&mut self, event: &Event) -> io::Result<()> {
        self.running = false;
        let function = short(event.text("function").unwrap_or("?"), SHORT);
        let arguments = arguments(event);
        let component = event
            .text("component")
            .map(|hash| format!(", component {}", self::hash(hash)));
        let component = component.unwrap_or_default();
        self.say(
            Tone::Plain,
            &format!("run {function}({arguments}){component}"),
        )?;
        self.running = true;
        Ok(())
    }

    fn run_end(&mut self, event: &Event) -> io::Result<()> {
        let outcome = outcome(event);
        let mut line = outcome.clone();
        line += &event
            .number("millis")
            .map(|millis| format!(" in {}", time(millis)))
            .unwrap_or_default();
        line += &event
            .number("fuel")
            .map(|fuel| format!(", {fuel} fuel"))
            .unwrap_or_default();
        line += &event
            .number("memory")
            .map(|bytes| format!(", {}", size(bytes)))
            .unwrap_or_default();
        let said = [event.get("message"), event.get("result")];
        if let Some(said) = said.into_iter().find(|said| !said.is_null()) {
            line += &format!(": {}", in_line(said));
        }
        self.say(tone(&outcome), &line)?;
        self.running = false;
        Ok(())
    }

    fn call(&mut self, event: &Event) -> io::Result<()> {
        let name = super::stats::function(event);
        let name = short(&name, SHORT);
        let sent = match event.get("irreversible").as_bool() {
            Some(true) => ", irreversible",
            _ => "",
        };
        let time = event
            .number("millis")
            .map(|millis| format!(", {}", time(millis)));
        let time = time.unwrap_or_default();
        let (tone, result) = match event.get("error") {
            Json::Null => (Tone::Plain, value(event.get("result"), SHORT)),
            error => (Tone::Bad, format!("failed: {}", in_line(error))),
        };
        let arguments = arguments(event);
        self.say(
            tone,
            &format!("{name}({arguments}) -> {result}{time}{sent}"),
        )
    }

    fn approval(&mut self, event: &Event) -> io::Result<()> {
        let what = event.get("what");
        let part = |name: &str| short(what.get(name).and_then(Json::as_str).unwrap_or("?"), 60);
        let by = short(event.text("by").unwrap_or("?"), 60);
        let (tone, word) = match event.get("answer").as_bool() {
            Some(true) => (Tone::Plain, "approved"),
            _ => (Tone::Bad, "not approved"),
        };
        let line = format!("{word}: {}.{} (by {by})", part("import"), part("function"));
        self.say(tone, &line)
    }

    /// An event that a newer program may have written.
    fn other(&mut self, event: &Event) -> io::Result<()> {
        let known = ["v", "seq", "ms", "event", "hole", "path", "attempt"];
        let fields = event
            .fields()
            .iter()
            .filter(|(name, _)| !known.contains(&name.as_str()));
        let fields: Vec<String> = fields
            .map(|(name, field)| format!("{}={}", short(name, 40), value(field, 40)))
            .collect();
        let line = format!(
            "{}  {}",
            short(event.name(), 40),
            short(&fields.join(" "), SHORT)
        );
        self.say(Tone::Dim, line.trim_end())
    }

    fn header(&mut self, more: &str) -> io::Result<()> {
        if self.path.is_empty() {
            return Ok(());
        }
        let indent = "  ".repeat(depth(&self.path));
        let path = short(&self.path, SHORT);
        (self.line)(Tone::Plain, &format!("{indent}{path}{more}"))
    }

    fn indent(&self) -> usize {
        let own = usize::from(!self.path.is_empty());
        depth(&self.path) + own + usize::from(self.attempt.is_some()) + usize::from(self.running)
    }

    fn say(&mut self, tone: Tone, line: &str) -> io::Result<()> {
        let indent = "  ".repeat(self.indent());
        (self.line)(tone, &format!("{indent}{line}"))
    }

    fn deeper(&mut self, tone: Tone, line: &str) -> io::Result<()> {
        self.say(tone, &format!("  {line}"))
    }

    /// A text of the trace as one line, or all of it.
    fn text(&self, json: &Json) -> String {
        match json.as_str() {
            Some(text) if self.full => escape_controls(&text.replace('\n', "\\n")).into_owned(),
            _ => in_line(json),
        }
    }

    /// A long text below its line, when everything is to be shown.
    fn whole(&mut self, json: &Json) -> io::Result<()> {
        if !self.full {
            return Ok(());
        }
        match json.as_str().or(json.get("cut").and_then(Json::as_str)) {
            Some(text) => self.block(text)?,
            None => return Ok(()),
        }
        if json.is_object() {
            let all = size(text_size(json));
            self.deeper(Tone::Dim, &format!("… cut by the trace, {all} in all"))?;
        }
        Ok(())
    }

    /// Lines behind a mark, so that none can pass for one of ours.
    fn block(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let line = escape_controls(line).into_owned();
            self.deeper(Tone::Plain, format!("| {line}").trim_end())?;
        }
        Ok(())
    }
}

fn depth(path: &str) -> usize {
    path.matches('/').count().min(DEEPEST)
}

fn outcome(event: &Event) -> String {
    short(event.text("outcome").unwrap_or("?"), 40)
}

fn tone(outcome: &str) -> Tone {
    match outcome {
        "ok" | "accepted" => Tone::Good,
        "cancelled" | "interrupted" => Tone::Dim,
        _ => Tone::Bad,
    }
}

fn arguments(event: &Event) -> String {
    let arguments = event.list("arguments").iter();
    let arguments: Vec<String> = arguments
        .take(20)
        .map(|argument| value(argument, 60))
        .collect();
    arguments.join(", ")
}

/// `line:column` of a span's start.
fn place(span: &Json) -> String {
    let start = span.get("start").unwrap_or(&Json::Null);
    let number = |field: &str| start.get(field).and_then(Json::as_u64).unwrap_or(0);
    format!("{}:{}", number("line"), number("column"))
}

/// A text in one line, or what stands for a value that is masked or cut.
fn in_line(json: &Json) -> String {
    match json.as_str() {
        Some(text) => short(text, SHORT),
        None => value(json, SHORT),
    }
}
