//! What must hold of every judgement, whatever the snippet.

use std::time::Duration;

use aho_corasick::AhoCorasick;
use lacuna::diagnostic::{Diagnostic, for_model};
use lacuna::session::Verdict;

/// Something that must not be.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Which oracle says so.
    pub oracle: &'static str,
    /// What it saw.
    pub message: String,
}

impl Fault {
    /// A fault that an oracle found.
    pub fn new(oracle: &'static str, message: impl Into<String>) -> Self {
        Self {
            oracle,
            message: message.into(),
        }
    }
}

/// Codes of diagnostics that a layer gives which stands behind another: the one before should have spoken.
const BEHIND: [&str; 7] = [
    "lacuna::compiler-input",
    "lacuna::undefined-symbol",
    "lacuna::not-granted-import",
    "lacuna::extra-export",
    "lacuna::start-function",
    "lacuna::custom-section",
    "lacuna::world-mismatch",
];

/// Names of the wrapper and of files that no author of a snippet knows.
const WRAPPER: [&str; 9] = [
    "/rustc/",
    ".rustup",
    "/.cargo/",
    "hole.rs",
    "bindings.rs",
    "library/core/",
    "library/std/",
    "library/alloc/",
    "lacuna_std",
];

/// Looks for what must be in no output.
#[derive(Debug)]
pub struct Secrets {
    /// Canaries and host paths.
    host: AhoCorasick,
    host_words: Vec<String>,
    /// Names of what surrounds a snippet.
    wrapper: AhoCorasick,
}

impl Secrets {
    /// Secrets of this host: contents, values and paths.
    pub fn new(words: Vec<String>) -> anyhow::Result<Self> {
        Ok(Self {
            host: AhoCorasick::new(&words)?,
            host_words: words,
            wrapper: AhoCorasick::new(WRAPPER)?,
        })
    }

    /// What of the host stands in `bytes` and not in the snippet.
    pub fn in_bytes(&self, bytes: &[u8], snippet: &str) -> Option<String> {
        let found = self
            .host
            .find_iter(bytes)
            .map(|found| &self.host_words[found.pattern().as_usize()]);
        let mut found = found.filter(|word| !snippet.contains(word.as_str()));
        found.next().cloned()
    }

    /// What of the host or of the wrapper stands in a text and not in the snippet.
    pub fn in_text(&self, text: &str, snippet: &str) -> Option<String> {
        self.in_bytes(text.as_bytes(), snippet).or_else(|| {
            let found = self
                .wrapper
                .find_iter(text)
                .map(|found| WRAPPER[found.pattern().as_usize()]);
            let mut found = found.filter(|word| !snippet.contains(word));
            found.next().map(str::to_owned)
        })
    }
}

/// Checks a verdict and everything that is shown of it. `text` is the snippet that it speaks of.
pub fn verdict(verdict: &Verdict, text: &str, secrets: &Secrets) -> Vec<Fault> {
    let mut faults = Vec::new();
    let shown = serde_json::to_string(verdict).unwrap_or_default();
    let told = for_model(&verdict.diagnostics, text);
    for (what, output) in [("JSON", &shown), ("the model's form", &told)] {
        if let Some(word) = secrets.in_text(output, text) {
            faults.push(Fault::new(
                "canary",
                format!("`{word}` in {what} of the verdict"),
            ));
        }
    }
    for diagnostic in &verdict.diagnostics {
        if let Some(word) = secrets.in_text(&diagnostic.rendered, text) {
            faults.push(Fault::new(
                "canary",
                format!("`{word}` in the picture of a diagnostic"),
            ));
        }
        faults.extend(diagnostic_faults(diagnostic, text));
        let code = diagnostic.code.as_deref().unwrap_or_default();
        if BEHIND.contains(&code)
            || code == "lacuna::not-granted"
                && verdict.stage == Some(lacuna::diagnostic::Stage::Link)
        {
            faults.push(Fault::new(
                "depth",
                format!(
                    "only a later layer stopped it: {code}: {}",
                    diagnostic.message
                ),
            ));
        }
    }
    if told.chars().any(is_hidden) {
        faults.push(Fault::new(
            "diagnostic",
            "a character that acts on a terminal in the model's form",
        ));
    }
    if !verdict.accepted() && verdict.diagnostics.is_empty() {
        faults.push(Fault::new("diagnostic", "rejected without a reason"));
    }
    faults
}

fn diagnostic_faults(diagnostic: &Diagnostic, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let lines: Vec<&str> = text.split('\n').collect();
    let fixed = diagnostic.fix.iter().map(|fix| &fix.span);
    for span in diagnostic.spans.iter().chain(fixed) {
        for position in [span.start, span.end] {
            let line = (position.line as usize)
                .checked_sub(1)
                .and_then(|line| lines.get(line));
            let inside = line.is_some_and(|line| {
                position.column >= 1 && position.column as usize <= line.chars().count() + 1
            });
            if !inside {
                faults.push(Fault::new(
                    "diagnostic",
                    format!(
                        "place {}:{} is outside of the snippet",
                        position.line, position.column
                    ),
                ));
            }
        }
        if span.end < span.start {
            faults.push(Fault::new(
                "diagnostic",
                "a place that ends before it starts",
            ));
        }
    }
    let labels = diagnostic
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref());
    let texts = [diagnostic.rendered.as_str(), diagnostic.message.as_str()].into_iter();
    let texts = texts
        .chain(diagnostic.help.iter().map(String::as_str))
        .chain(labels);
    for shown in texts {
        if let Some(hidden) = shown.chars().find(|letter| is_hidden(*letter)) {
            faults.push(Fault::new(
                "diagnostic",
                format!(
                    "the character {} is shown as it is",
                    hidden.escape_unicode()
                ),
            ));
        }
    }
    if diagnostic.message.trim().is_empty() {
        faults.push(Fault::new("diagnostic", "a diagnostic without words"));
    }
    faults
}

/// Characters that act on a terminal or on the text around them.
fn is_hidden(letter: char) -> bool {
    let bidi = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    bidi || letter.is_control() && letter != '\n' && letter != '\t'
}

/// Checks that a judgement has ended in time.
pub fn in_time(elapsed: Duration, most: Duration) -> Option<Fault> {
    (elapsed > most).then(|| Fault::new("bounds", format!("took {} ms", elapsed.as_millis())))
}
