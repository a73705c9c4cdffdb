//! What people read: results on stdout, all else on stderr.
#![expect(clippy::disallowed_methods, reason = "this is where the binary prints")]

mod events;
mod live;
mod style;
mod summary;

use std::fmt::{Arguments, Display};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use super::arguments::Verbosity;
use crate::diagnostic::{self, Diagnostic};
use crate::error::{self, Explain};
use crate::session::{Error, Progress, Watch};
use crate::trace::{Tone, figures};

use live::{Live, width};
pub(super) use style::{ColorChoice, Style, Surroundings};
use summary::Summary;

/// Most characters of the arguments of a call that can't be undone; the JSON outcome and the trace have them whole.
const MOST_SENT: usize = 300;

/// The result, on stdout, with a final newline.
///
/// # Errors
/// When stdout is closed or full: the caller's result is then lost, and the exit code must say so.
pub(super) fn result(text: impl Display) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// The result as one line of JSON.
///
/// # Errors
/// As [`result`].
pub(super) fn json(value: &impl serde::Serialize) -> std::io::Result<()> {
    let text = serde_json::to_string(value)?;
    result(diagnostic::escape_json(&text))
}

/// Text on stdout, byte for byte.
///
/// # Errors
/// As [`result`].
pub(super) fn raw(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Lines on stdout that come one after the other, coloured by what they are about.
pub(super) struct Lines {
    out: std::io::BufWriter<std::io::Stdout>,
    style: Style,
    /// Columns of the terminal, when it is one.
    width: Option<usize>,
}

impl Lines {
    /// stdout as flags and environment want it. On a terminal, a line is cut at its width when `cut` is set.
    pub(super) fn new(color: ColorChoice, around: &Surroundings, cut: bool) -> Self {
        Self {
            out: std::io::BufWriter::new(std::io::stdout()),
            style: Style::new(color, around.stdout, around),
            width: width(std::io::stdout()).filter(|_| cut),
        }
    }

    /// One line without its end. Whoever wrote a part of it, it cannot drive the terminal.
    ///
    /// # Errors
    /// When stdout is closed or full.
    pub(super) fn line(&mut self, tone: Tone, text: &str) -> std::io::Result<()> {
        let text = diagnostic::escape_controls(text);
        let text = match self.width {
            Some(width) => figures::cut(&text, width),
            None => text,
        };
        writeln!(self.out, "{}", self.style.paint(tone, &text))
    }

    /// JSON as it is written, with nothing behind it.
    ///
    /// # Errors
    /// As [`Lines::line`].
    pub(super) fn json(&mut self, json: &str) -> std::io::Result<()> {
        self.out.write_all(diagnostic::escape_json(json).as_bytes())
    }

    /// Writes what is held back. To be called at the end, and before anything is said on stderr.
    ///
    /// # Errors
    /// As [`Lines::line`].
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// stderr: lines that stay and, on a terminal, lines that show what is under way. Cheap to clone.
#[derive(Clone)]
pub(super) struct Terminal {
    inner: Arc<Inner>,
}

struct Inner {
    verbosity: Verbosity,
    style: Style,
    live: Option<Live>,
    summary: Mutex<Summary>,
}

impl Terminal {
    /// stderr as flags and environment want it.
    pub(super) fn new(verbosity: Verbosity, color: ColorChoice, around: &Surroundings) -> Self {
        let live = verbosity != Verbosity::Quiet && around.shows_progress();
        Self {
            inner: Arc::new(Inner {
                verbosity,
                style: Style::new(color, around.stderr, around),
                live: live.then(Live::new),
                summary: Mutex::default(),
            }),
        }
    }

    pub(super) fn verbosity(&self) -> Verbosity {
        self.inner.verbosity
    }

    /// Takes away what shows that something is under way; nothing of it comes back. To be called before anything is
    /// written to stdout, which may be the same terminal.
    pub(super) fn close(&self) {
        if let Some(live) = &self.inner.live {
            live.close();
        }
    }

    /// One line. A closed stderr is no reason to fail. Whoever wrote a part of the text (a panic message, a path, a key
    /// of the manifest), it cannot drive the terminal.
    pub(super) fn line(&self, text: Arguments<'_>) {
        self.toned(Tone::Plain, text);
    }

    /// As [`Terminal::line`], coloured as a whole where there are colours.
    pub(super) fn toned(&self, tone: Tone, text: Arguments<'_>) {
        let text = text.to_string();
        let text = diagnostic::escape_controls(&text);
        let text = self.inner.style.paint(tone, &text);
        self.write(&format!("{text}\n"));
    }

    /// What a hole printed, each of its lines behind `mark`, so that none can pass for a line of ours.
    pub(super) fn log(&self, mark: &str, text: &str) {
        self.line(format_args!(
            "{mark}{}",
            text.replace('\n', &format!("\n{mark}"))
        ));
    }

    /// An error with its place and its way out.
    pub(super) fn error(&self, error: &dyn Explain) {
        self.refusal(&error::render(error));
    }

    /// The text of an error, its first words coloured.
    pub(super) fn refusal(&self, text: &str) {
        let text = diagnostic::escape_controls(text.trim_end_matches('\n'));
        let lines = text
            .lines()
            .map(|line| self.inner.style.heading(line) + "\n");
        self.write(&lines.collect::<String>());
    }

    /// What led to an error and was not said while it happened: why the last attempt was rejected, what the hole
    /// printed.
    pub(super) fn unsaid(&self, error: &Error) {
        match error {
            Error::Rejected { attempts, .. } => {
                if let Some(last) = attempts.last() {
                    self.diagnostics(&last.verdict.diagnostics, last.verdict.omitted, "");
                }
            }
            Error::Failed { log, .. } => {
                for text in log {
                    self.log("log: ", text);
                }
            }
            _ => {}
        }
    }

    /// What a failed run has done that can't be undone.
    pub(super) fn sent(&self, error: &Error) {
        let Error::Failed { sent, .. } = error else {
            return;
        };
        for call in sent {
            let arguments: Vec<String> = call.arguments.iter().map(ToString::to_string).collect();
            let arguments = match call.cut {
                true => "…".to_owned(),
                false => figures::short(&arguments.join(", "), MOST_SENT),
            };
            let function = crate::grant::written(&call.function);
            self.line(format_args!(
                "made, and can't be undone: {}.{function}({arguments})",
                call.import
            ));
        }
    }

    /// What the run has cost, as far as it is known; nothing when no model was asked.
    pub(super) fn summary(&self) {
        if self.inner.verbosity == Verbosity::Quiet {
            return;
        }
        let text = self.with_summary(|summary| summary.text());
        if let Some(text) = text {
            self.toned(Tone::Dim, format_args!("{text}"));
        }
    }

    fn with_summary<T>(&self, work: impl FnOnce(&mut Summary) -> T) -> T {
        let summary = self.inner.summary.lock();
        work(&mut summary.unwrap_or_else(PoisonError::into_inner))
    }

    /// The diagnostics of a rejected snippet.
    pub(super) fn diagnostics(&self, diagnostics: &[Diagnostic], omitted: u64, indent: &str) {
        let mut lines = String::new();
        for diagnostic in diagnostics {
            for text in diagnostic.rendered.lines() {
                let text = diagnostic::escape_controls(text);
                lines += &format!("{indent}{}\n", self.inner.style.heading(&text));
            }
        }
        if omitted > 0 {
            lines += &format!("{indent}… and {omitted} more\n");
        }
        self.write(&lines);
    }

    /// Whole lines on stderr, above those that show what is under way.
    fn write(&self, lines: &str) {
        let write = || {
            let _ = std::io::stderr().lock().write_all(lines.as_bytes());
        };
        match &self.inner.live {
            Some(live) => live.above(write),
            None => write(),
        }
    }
}

impl Watch for Terminal {
    fn progress(&self, event: &Progress<'_>) {
        if self.inner.verbosity == Verbosity::Quiet {
            return;
        }
        self.with_summary(|summary| summary.event(event));
        self.say(event);
        if let Some(live) = &self.inner.live {
            live.event(event);
        }
    }
}
