//! Diagnostics: what is wrong with a snippet, in the snippet's own coordinates.
//!
//! One value serves people (`rendered`), programs (`--format json`, CONTRACTS section 2) and the model (a shorter
//! form). A diagnostic never holds wrapper code, a host path or text of a host file.

mod cause;
mod escape;
mod list;
mod picture;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use cause::Cause;
pub use escape::{escape_controls, escape_json};
pub use list::{finish, for_model};

/// A position in the extracted snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Position {
    /// The position of a byte offset; offsets behind the end or inside a character are moved back to a boundary.
    pub fn of_byte(text: &str, offset: usize) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            line: before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }
}

/// A range of the extracted snippet; `end` is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First position.
    pub start: Position,
    /// Position behind the last character.
    pub end: Position,
    /// What is said at this place.
    pub label: Option<String>,
    /// Whether this is the place the message is about.
    pub primary: bool,
}

impl Span {
    /// The place a message is about.
    pub fn new(start: Position, end: Position) -> Self {
        Self {
            start,
            end,
            label: None,
            primary: true,
        }
    }

    /// The place of a byte range of `text`.
    pub fn of_bytes(text: &str, range: Range<usize>) -> Self {
        Self::new(
            Position::of_byte(text, range.start),
            Position::of_byte(text, range.end.max(range.start)),
        )
    }

    /// The same place with words beside it.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same place as one that only helps to understand the primary one.
    #[must_use]
    pub fn secondary(mut self) -> Self {
        self.primary = false;
        self
    }
}

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The snippet is rejected.
    Error,
    /// The snippet can still be accepted.
    Warning,
}

/// A replacement that makes the diagnostic go away.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fix {
    /// What is replaced.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One thing that is wrong with a snippet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// rustc's code (`E0425`), or `lacuna::NAME` for ours; `None` where rustc has none.
    pub code: Option<String>,
    /// How serious it is.
    pub level: Level,
    /// What is wrong, one sentence.
    pub message: String,
    /// Where; the primary one first.
    pub spans: Vec<Span>,
    /// Advice, a line each.
    pub help: Vec<String>,
    /// A fix that can be applied as it stands.
    pub fix: Option<Fix>,
    /// The whole as text with the source lines, for people.
    pub rendered: String,
}

impl Diagnostic {
    /// An error of ours; `name` is the part behind `lacuna::`.
    pub fn error(name: &str, message: impl Into<String>) -> Self {
        Self {
            code: Some(format!("lacuna::{name}")),
            level: Level::Error,
            message: message.into(),
            spans: Vec::new(),
            help: Vec::new(),
            fix: None,
            rendered: String::new(),
        }
    }

    /// A warning of ours; `name` is the part behind `lacuna::`.
    pub fn warning(name: &str, message: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            ..Self::error(name, message)
        }
    }

    /// Adds a place; the first one should be the primary one.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.spans.push(span);
        self
    }

    /// Adds a line of advice.
    #[must_use]
    pub fn help(mut self, line: impl Into<String>) -> Self {
        self.help.push(line.into());
        self
    }

    /// Sets the fix that can be applied as it stands.
    #[must_use]
    pub fn with_fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix {
            span,
            replacement: replacement.into(),
        });
        self
    }

    /// The place the message is about: the first primary span, else the first span.
    pub fn primary(&self) -> Option<&Span> {
        self.spans
            .iter()
            .find(|span| span.primary)
            .or_else(|| self.spans.first())
    }
}

/// Why a snippet was rejected, at any stage.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// `snippet`, `compile` or `link`.
    pub stage: Stage,
    /// What is wrong; errors first, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Diagnostics left out by the caps.
    pub omitted: u64,
    /// Fixes that were applied before judging.
    pub repaired: Vec<Fix>,
    /// Milliseconds spent compiling.
    pub millis: u64,
}

impl Rejection {
    /// A rejection whose diagnostics are put in order, capped and rendered against `snippet_text`.
    pub fn new(stage: Stage, diagnostics: Vec<Diagnostic>, snippet_text: &str) -> Self {
        let (diagnostics, omitted) = finish(diagnostics, snippet_text);
        Self {
            stage,
            diagnostics,
            omitted,
            repaired: Vec::new(),
            millis: 0,
        }
    }

    /// A rejection before any compiler was started.
    pub fn snippet(diagnostics: Vec<Diagnostic>, snippet_text: &str) -> Self {
        Self::new(Stage::Snippet, diagnostics, snippet_text)
    }
}

impl Stage {
    /// The stage's name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Snippet => "snippet",
            Self::Compile => "compile",
            Self::Link => "link",
        }
    }
}

/// Where a snippet was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// No code found, or a token that is not allowed.
    Snippet,
    /// rustc said no, or met a limit.
    Compile,
    /// The component asks for more than was granted, or exports something else.
    Link,
}

#[cfg(test)]
mod tests;
