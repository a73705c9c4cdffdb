//! The lines that stay: what happened, a line or a few for each event.

use super::Terminal;
use crate::cli::arguments::Verbosity;
use crate::diagnostic;
use crate::model::Usage;
use crate::session::Progress;
use crate::trace::{Tone, figures};

impl Terminal {
    /// Says what happened, if it is worth a line.
    pub(super) fn say(&self, event: &Progress<'_>) {
        let verbose = self.verbosity() == Verbosity::Verbose;
        match *event {
            Progress::Preparing { what } => self.toned(Tone::Dim, format_args!("lacuna: {what}")),
            Progress::Asking {
                path,
                attempt,
                of,
                model,
            } => {
                // Where a line shows it while it lasts, it need not stay.
                if self.inner.live.is_none() || verbose || super::live::is_human(model) {
                    self.toned(
                        Tone::Dim,
                        format_args!("{path}: asking {model} (attempt {attempt} of {of})"),
                    );
                }
            }
            Progress::Note { path, text } => self.toned(Tone::Dim, format_args!("{path}: {text}")),
            // Nothing stands before its lines, or it could not be copied.
            Progress::Text { text, .. } => {
                self.line(format_args!("{}", text.trim_end_matches('\n')));
            }
            Progress::Answered {
                path,
                usage,
                usd,
                elapsed,
                ..
            } => {
                let seconds = elapsed.as_secs_f64();
                let spent = match verbose {
                    true => in_detail(usage, usd),
                    false => in_all(usage),
                };
                if !spent.is_empty() || seconds >= 0.1 {
                    self.toned(
                        Tone::Dim,
                        format_args!("{path}: answered in {seconds:.1} s{spent}"),
                    );
                }
            }
            Progress::Rejected {
                path,
                attempt,
                code,
                rejection,
            } => {
                let stage = rejection.stage.name();
                match attempt {
                    0 => self.toned(
                        Tone::Bad,
                        format_args!("{path}: rejected at {stage}, nothing was run"),
                    ),
                    _ => self.toned(
                        Tone::Bad,
                        format_args!(
                            "{path}: attempt {attempt} rejected at {stage}, nothing was run"
                        ),
                    ),
                }
                if let Some(code) = code.filter(|_| verbose) {
                    self.code(code);
                }
                self.diagnostics(&rejection.diagnostics, rejection.omitted, "  ");
            }
            Progress::Accepted {
                path,
                attempt,
                code,
                repaired,
                elapsed,
            } => {
                let subject = match attempt {
                    0 => "snippet".to_owned(),
                    _ => format!("attempt {attempt}"),
                };
                let millis = elapsed.as_millis();
                self.toned(
                    Tone::Good,
                    format_args!("{path}: {subject} accepted in {millis} ms"),
                );
                // What runs is not to the letter what the model wrote: whoever reads must see the difference.
                for fix in repaired {
                    let at = fix.span.start;
                    let inserted = fix.replacement.trim();
                    self.line(format_args!(
                        "  the compiler's fix was applied first, at {}:{}: `{}`",
                        at.line,
                        at.column,
                        diagnostic::escape_controls(inserted)
                    ));
                }
                if verbose {
                    self.code(code);
                }
            }
            Progress::Calling { path, function } if verbose => {
                self.line(format_args!("{path}: calling {function}"));
            }
            Progress::Log { path, line } => self.log(&format!("{path}| "), line),
            Progress::Calling { .. }
            | Progress::Binding { .. }
            | Progress::Receiving { .. }
            | Progress::Unanswered { .. }
            | Progress::Judging { .. }
            | Progress::Returned { .. }
            | Progress::Ended { .. } => {}
        }
    }

    /// Code with its line numbers, which the places in diagnostics speak of.
    fn code(&self, text: &str) {
        let lines = text.lines().enumerate();
        let lines: Vec<String> = lines
            .map(|(index, text)| format!("  {:>4} | {text}", index + 1))
            .collect();
        self.toned(Tone::Dim, format_args!("{}", lines.join("\n")));
    }
}

/// Tokens that a provider has counted; an estimate would be taken for a bill.
fn in_all(usage: Usage) -> String {
    match usage.estimated {
        true => String::new(),
        false => format!(", {} tokens", usage.total()),
    }
}

fn in_detail(usage: Usage, usd: Option<f64>) -> String {
    let tokens = match usage.estimated {
        true => String::new(),
        false => format!(", {} tokens in, {} out", usage.input, usage.output),
    };
    let about = if usage.estimated { "about " } else { "" };
    let usd = usd.map(|usd| format!(", {about}{}", figures::usd(usd)));
    tokens + &usd.unwrap_or_default()
}
