//! What a run has cost.

use std::collections::BTreeSet;
use std::time::Instant;

use crate::session::Progress;
use crate::trace::figures;

/// Adds up what is told of answers.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// The hole that was asked first, and when.
    first: Option<(String, Instant)>,
    holes: BTreeSet<String>,
    attempts: u64,
    tokens: u64,
    /// Whether there is an answer whose tokens nobody has counted.
    estimated: bool,
    usd: Option<f64>,
    /// Requests without an answer that the budget is charged with, and the tokens of that.
    unanswered: u64,
    charged: u64,
}

impl Summary {
    /// Something happened.
    pub(super) fn event(&mut self, event: &Progress<'_>) {
        match *event {
            Progress::Asking { path, .. } => {
                self.attempts += 1;
                self.holes.insert(path.to_owned());
                self.first
                    .get_or_insert_with(|| (path.to_owned(), Instant::now()));
            }
            Progress::Answered { usage, usd, .. } => {
                self.tokens = self.tokens.saturating_add(usage.total());
                self.estimated |= usage.estimated;
                if let Some(usd) = usd {
                    *self.usd.get_or_insert(0.0) += usd;
                }
            }
            Progress::Unanswered { charged, usd, .. } if charged.total() > 0 => {
                self.unanswered += 1;
                self.charged = self.charged.saturating_add(charged.total());
                if let Some(usd) = usd {
                    *self.usd.get_or_insert(0.0) += usd;
                }
            }
            _ => {}
        }
    }

    /// The line, when a model was asked: what is known, nothing else.
    pub(super) fn text(&self) -> Option<String> {
        let (path, started) = self.first.as_ref()?;
        let mut parts = Vec::new();
        if self.holes.len() > 1 {
            parts.push(figures::count(self.holes.len() as u64, "hole"));
        }
        parts.push(figures::count(self.attempts, "attempt"));
        if self.tokens > 0 && !self.estimated {
            parts.push(figures::count(self.tokens, "token"));
        }
        if self.unanswered > 0 {
            // The session's budget counts them, so whoever compares the two must find them here.
            let tokens = figures::count(self.charged, "token");
            let requests = figures::count(self.unanswered, "failed request");
            parts.push(format!("{tokens} charged to the budget for {requests}"));
        }
        if let Some(usd) = self.usd {
            let about = match (self.estimated, self.unanswered) {
                (false, 0) => "",
                (_, 0) => "about ",
                _ => "at most ",
            };
            parts.push(format!("{about}{}", figures::usd(usd)));
        }
        parts.push(format!("{:.1} s", started.elapsed().as_secs_f64()));
        Some(format!("{path}: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::Usage;

    fn asked(path: &str) -> Progress<'_> {
        Progress::Asking {
            path,
            attempt: 1,
            of: 3,
            model: "m",
        }
    }

    fn answered(estimated: bool, usd: Option<f64>) -> Progress<'static> {
        Progress::Answered {
            path: "a",
            attempt: 1,
            usage: Usage {
                input: 1000,
                output: 200,
                estimated,
            },
            usd,
            elapsed: Duration::ZERO,
        }
    }

    fn unanswered(output: u64, usd: Option<f64>) -> Progress<'static> {
        Progress::Unanswered {
            path: "a",
            attempt: 1,
            charged: Usage {
                input: output / 8,
                output,
                estimated: true,
            },
            usd,
            elapsed: Duration::ZERO,
        }
    }

    fn text(events: &[Progress<'_>]) -> Option<String> {
        let mut summary = Summary::default();
        events.iter().for_each(|event| summary.event(event));
        summary.text()
    }

    #[test]
    fn only_what_is_known_is_said() {
        assert_eq!(text(&[]), None);
        let say = |events: &[Progress<'_>]| text(events).unwrap();
        assert_eq!(say(&[asked("a")]), "a: 1 attempt, 0.0 s");
        assert_eq!(
            say(&[
                asked("a"),
                answered(false, None),
                asked("a"),
                answered(false, Some(0.01234))
            ]),
            "a: 2 attempts, 2400 tokens, 0.0123 USD, 0.0 s"
        );
        assert_eq!(
            say(&[
                asked("a"),
                answered(false, None),
                asked("a"),
                answered(true, None)
            ]),
            "a: 2 attempts, 0.0 s"
        );
        assert_eq!(
            say(&[asked("a"), unanswered(0, None)]),
            "a: 1 attempt, 0.0 s"
        );
        assert_eq!(
            say(&[
                asked("a"),
                answered(false, Some(0.01)),
                asked("a"),
                unanswered(8000, Some(0.08))
            ]),
            "a: 2 attempts, 1200 tokens, 9000 tokens charged to the budget for 1 failed request, at most 0.0900 USD, 0.0 s"
        );
        assert_eq!(
            say(&[asked("a"), asked("a/0"), answered(true, Some(0.5))]),
            "a: 2 holes, 2 attempts, about 0.5000 USD, 0.0 s"
        );
    }
}
