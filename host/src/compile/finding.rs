//! What is found in a snippet: a diagnostic, and the edits that would make it go away.

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Diagnostic, Fix, Level, Position, Span};

/// A diagnostic with the machine-applicable edits of its suggestion. A diagnostic's `fix` holds one replacement; a
/// suggestion may need several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finding {
    pub(super) diagnostic: Diagnostic,
    pub(super) edits: Vec<Edit>,
}

/// A replacement in the snippet's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Edit {
    pub(super) start: Position,
    pub(super) end: Position,
    pub(super) replacement: String,
}

impl Finding {
    /// An error of ours: `code` without the `lacuna::` before it.
    pub(super) fn ours(code: &str, message: impl Into<String>, span: Option<Span>) -> Self {
        Self {
            diagnostic: Diagnostic {
                code: Some(format!("lacuna::{code}")),
                level: Level::Error,
                message: message.into(),
                spans: span.into_iter().collect(),
                help: Vec::new(),
                fix: None,
                rendered: String::new(),
            },
            edits: Vec::new(),
        }
    }

    /// Adds a line of advice.
    pub(super) fn with_help(mut self, line: impl Into<String>) -> Self {
        self.diagnostic.help.push(line.into());
        self
    }

    /// Takes an import as the fix: before everything, which is good for items and, as a statement, for a body.
    pub(super) fn import(&mut self, path: &str) {
        let start = Position { line: 1, column: 1 };
        self.set_edits(vec![Edit {
            start,
            end: start,
            replacement: format!("use {path};\n"),
        }]);
    }

    /// Adds edits at places that no edit touches yet.
    pub(super) fn add_edits(&mut self, edits: Vec<Edit>) {
        let mut all = std::mem::take(&mut self.edits);
        for edit in edits {
            let touches = |known: &Edit| known.start <= edit.end && edit.start <= known.end;
            if !all.iter().any(touches) {
                all.push(edit);
            }
        }
        self.diagnostic.fix = None;
        self.set_edits(all);
    }

    /// Takes `edits` as the fix, if there is none yet.
    pub(super) fn set_edits(&mut self, edits: Vec<Edit>) {
        if !self.edits.is_empty() || edits.is_empty() {
            return;
        }
        if let [edit] = edits.as_slice() {
            self.diagnostic.fix = Some(Fix {
                span: Span {
                    start: edit.start,
                    end: edit.end,
                    label: None,
                    primary: true,
                },
                replacement: edit.replacement.clone(),
            });
        }
        self.edits = edits;
    }
}

/// The byte offset of a position; `None` when the text has no such place.
pub(super) fn byte_of(text: &str, position: Position) -> Option<usize> {
    let mut start = 0;
    let mut lines = text.split_inclusive('\n');
    for _ in 1..position.line {
        start += lines.next()?.len();
    }
    let line = lines.next().unwrap_or("");
    let wanted = position.column.checked_sub(1)? as usize;
    let within = line
        .char_indices()
        .map(|(at, _)| at)
        .chain(std::iter::once(line.len()))
        .nth(wanted)?;
    Some(start + within)
}

/// The position behind the last character of the text.
pub(super) fn end_of(text: &str) -> Position {
    let line = text.matches('\n').count() as u32 + 1;
    let last = text.rsplit('\n').next().unwrap_or("");
    Position {
        line,
        column: last.chars().count() as u32 + 1,
    }
}
