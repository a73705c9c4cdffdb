//! Whether there are colours and moving lines, and what the colours are.

use clap::ValueEnum;

use crate::trace::Tone;

/// When output is coloured: on a terminal, unless NO_COLOR, CLICOLOR=0 or TERM=dumb says otherwise; also into files and
/// pipes; not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ColorChoice {
    // No documentation comments: clap would make a paragraph of each, in the help of every command.
    #[default]
    Auto,
    Always,
    Never,
}

/// What the environment says of the terminal. Read once, in `settings`.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Surroundings {
    /// Whether stdout is a terminal.
    pub(in crate::cli) stdout: bool,
    /// Whether stderr is one.
    pub(in crate::cli) stderr: bool,
    /// `TERM`.
    pub(in crate::cli) term: Option<String>,
    /// Whether `NO_COLOR` is set, to anything but nothing (no-color.org).
    pub(in crate::cli) no_color: bool,
    /// `CLICOLOR`.
    pub(in crate::cli) clicolor: Option<String>,
    /// Whether `CI` is set: a terminal that nobody looks at.
    pub(in crate::cli) ci: bool,
}

impl Surroundings {
    /// Whether lines may be drawn again and again.
    pub(super) fn shows_progress(&self) -> bool {
        self.stderr && !self.is_dumb() && !self.ci
    }

    fn is_dumb(&self) -> bool {
        self.term
            .as_deref()
            .is_none_or(|term| term == "dumb" || term.is_empty())
    }
}

/// Colours of one stream, or none.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Style {
    color: bool,
}

impl Style {
    /// For a stream that is a `terminal` or not.
    pub(in crate::cli) fn new(choice: ColorChoice, terminal: bool, around: &Surroundings) -> Self {
        let color = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let refused = around.no_color || around.clicolor.as_deref() == Some("0");
                terminal && !refused && !around.is_dumb()
            }
        };
        Self { color }
    }

    /// A text without control characters in the colour of its tone.
    pub(in crate::cli) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Good => "32",
            Tone::Bad => "31",
            Tone::Dim => "2",
        };
        if !self.color {
            return text.to_owned();
        }
        // Each line for itself, so that none is left coloured by a reader who shows only some of them.
        let lines = text.split('\n').map(|line| match line {
            "" => String::new(),
            line => format!("\x1b[{code}m{line}\x1b[0m"),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// A line of an error or a diagnostic with its first word coloured: `error[E0425]: …`, `hint: …`.
    pub(in crate::cli) fn heading(self, line: &str) -> String {
        let Some((head, rest)) = line.split_once(':') else {
            return line.to_owned();
        };
        let tone = match head.split('[').next().unwrap_or_default() {
            "error" => Tone::Bad,
            "warning" | "hint" => Tone::Dim,
            _ => return line.to_owned(),
        };
        self.paint(tone, &format!("{head}:")) + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal() -> Surroundings {
        Surroundings {
            stdout: true,
            stderr: true,
            term: Some("xterm".to_owned()),
            ..Surroundings::default()
        }
    }

    fn colored(choice: ColorChoice, around: &Surroundings) -> bool {
        Style::new(choice, around.stderr, around).color
    }

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        use ColorChoice::{Always, Auto, Never};
        let plain = terminal();
        assert!(colored(Auto, &plain));
        assert!(!colored(Never, &plain));
        for refusing in [
            Surroundings {
                no_color: true,
                ..terminal()
            },
            Surroundings {
                clicolor: Some("0".to_owned()),
                ..terminal()
            },
            Surroundings {
                term: Some("dumb".to_owned()),
                ..terminal()
            },
            Surroundings {
                term: None,
                ..terminal()
            },
            Surroundings {
                stderr: false,
                ..terminal()
            },
        ] {
            assert!(!colored(Auto, &refusing), "{refusing:?}");
            assert!(colored(Always, &refusing), "{refusing:?}");
        }
    }

    #[test]
    fn lines_move_on_terminals_alone() {
        assert!(terminal().shows_progress());
        let uncoloured = Surroundings {
            no_color: true,
            ..terminal()
        };
        assert!(uncoloured.shows_progress());
        for still in [
            Surroundings {
                stderr: false,
                ..terminal()
            },
            Surroundings {
                term: Some("dumb".to_owned()),
                ..terminal()
            },
            Surroundings {
                term: Some(String::new()),
                ..terminal()
            },
            Surroundings {
                ci: true,
                ..terminal()
            },
        ] {
            assert!(!still.shows_progress(), "{still:?}");
        }
    }

    #[test]
    fn what_is_coloured_reads_the_same_without() {
        let (on, off) = (Style { color: true }, Style { color: false });
        assert_eq!(off.paint(Tone::Bad, "a"), "a");
        assert_eq!(
            on.paint(Tone::Bad, "a\n\nb"),
            "\x1b[31ma\x1b[0m\n\n\x1b[31mb\x1b[0m"
        );
        assert_eq!(off.heading("error: x"), "error: x");
        assert_eq!(
            on.heading("error[E0425]: x: y"),
            "\x1b[31merror[E0425]:\x1b[0m x: y"
        );
        assert_eq!(on.heading("errors: x"), "errors: x");
        assert_eq!(on.heading(" --> a:1:2"), " --> a:1:2");
    }
}
