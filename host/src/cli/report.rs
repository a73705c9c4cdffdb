//! What people read on stderr.
#![expect(clippy::disallowed_methods, reason = "this is where the binary prints")]

use std::fmt::{Arguments, Display};
use std::io::Write;

use super::arguments::Verbosity;
use crate::diagnostic::{self, Diagnostic};
use crate::error;
use crate::session::{Error, Progress, Watch};

/// One line on stderr. A closed stderr is no reason to fail. Whoever wrote a part of the text (a panic message, a path,
/// a key of the manifest), it cannot drive the terminal.
pub(super) fn line(text: Arguments<'_>) {
    let text = text.to_string();
    let _ = writeln!(
        std::io::stderr().lock(),
        "{}",
        diagnostic::escape_controls(&text)
    );
}

/// What a hole printed, each of its lines behind `mark`, so that none can pass for a line of ours.
pub(super) fn log(mark: &str, text: &str) {
    line(format_args!(
        "{mark}{}",
        text.replace('\n', &format!("\n{mark}"))
    ));
}

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

/// An error with its place and its way out.
pub(super) fn error(error: &Error) {
    let text = error::render(error);
    let text = diagnostic::escape_controls(text.trim_end_matches('\n'));
    line(format_args!("{text}"));
}

/// What led to an error and was not said while it happened: why the last attempt was rejected, what the hole printed.
pub(super) fn unsaid(error: &Error) {
    match error {
        Error::Rejected { attempts, .. } => {
            if let Some(last) = attempts.last() {
                diagnostics(&last.verdict.diagnostics, last.verdict.omitted, "");
            }
        }
        Error::Failed { log, .. } => {
            for text in log {
                self::log("log: ", text);
            }
        }
        _ => {}
    }
}

/// Code with its line numbers, which the places in diagnostics speak of.
fn code(text: &str) {
    for (index, text) in text.lines().enumerate() {
        let number = index + 1;
        line(format_args!("  {number:>4} | {text}"));
    }
}

/// The diagnostics of a rejected snippet.
pub(super) fn diagnostics(diagnostics: &[Diagnostic], omitted: u64, indent: &str) {
    for diagnostic in diagnostics {
        for text in diagnostic.rendered.lines() {
            line(format_args!("{indent}{text}"));
        }
    }
    if omitted > 0 {
        line(format_args!("{indent}… and {omitted} more"));
    }
}

/// Tells stderr what happens.
pub(super) struct Terminal {
    pub(super) verbosity: Verbosity,
}

impl Watch for Terminal {
    fn progress(&self, event: &Progress<'_>) {
        if self.verbosity == Verbosity::Quiet {
            return;
        }
        match *event {
            Progress::Preparing { what } => line(format_args!("lacuna: {what}")),
            Progress::Asking {
                path,
                attempt,
                of,
                model,
            } => line(format_args!(
                "{path}: asking {model} (attempt {attempt} of {of})"
            )),
            Progress::Note { path, text } => line(format_args!("{path}: {text}")),
            Progress::Answered {
                path,
                tokens,
                elapsed,
                ..
            } => {
                let seconds = elapsed.as_secs_f64();
                match tokens {
                    Some(tokens) => line(format_args!(
                        "{path}: answered in {seconds:.1} s, {tokens} tokens"
                    )),
                    None if seconds >= 0.1 => {
                        line(format_args!("{path}: answered in {seconds:.1} s"))
                    }
                    None => {}
                }
            }
            Progress::Rejected {
                path,
                attempt,
                code: found,
                rejection,
            } => {
                let stage = rejection.stage.name();
                match attempt {
                    0 => line(format_args!("{path}: rejected at {stage}, nothing was run")),
                    _ => line(format_args!(
                        "{path}: attempt {attempt} rejected at {stage}, nothing was run"
                    )),
                }
                if let Some(found) = found
                    && self.verbosity == Verbosity::Verbose
                {
                    code(found);
                }
                diagnostics(&rejection.diagnostics, rejection.omitted, "  ");
            }
            Progress::Accepted {
                path,
                attempt,
                code: accepted,
                repaired,
                elapsed,
            } => {
                let subject = match attempt {
                    0 => "snippet".to_owned(),
                    _ => format!("attempt {attempt}"),
                };
                line(format_args!(
                    "{path}: {subject} accepted in {} ms",
                    elapsed.as_millis()
                ));
                // What runs is not to the letter what the model wrote: whoever reads must see the difference.
                for fix in repaired {
                    let at = fix.span.start;
                    let inserted = fix.replacement.trim();
                    line(format_args!(
                        "  the compiler's fix was applied first, at {}:{}: `{}`",
                        at.line,
                        at.column,
                        diagnostic::escape_controls(inserted)
                    ));
                }
                if self.verbosity == Verbosity::Verbose {
                    code(accepted);
                }
            }
            Progress::Calling { path, function } if self.verbosity == Verbosity::Verbose => {
                line(format_args!("{path}: calling {function}"));
            }
            Progress::Log { path, line: text } => {
                log(&format!("{path}| "), text);
            }
            Progress::Calling { .. } => {}
        }
    }
}
