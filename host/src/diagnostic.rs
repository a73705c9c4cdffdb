//! Diagnostics: what is wrong with a snippet, in the snippet's own coordinates.
//!
//! One value serves people (`rendered`), programs (`--format json`, CONTRACTS section 2) and the model (a shorter
//! form). A diagnostic never holds wrapper code, a host path or text of a host file.

use serde::{Deserialize, Serialize};

/// A position in the extracted snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
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
