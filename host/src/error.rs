//! What every stage's errors share: the place in a source text, and the way out.
//!
//! Each stage has an error enum of its own, beside the stage. They implement [`Explain`], so the edge (the CLI, or a
//! host program) can draw the source line with a caret and print a hint without knowing the stage.

use std::fmt;

/// A place in a text that a person wrote: a `.wit` file, a `lacuna.toml`, an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the text as the user knows it (a path as given, or `--arg NAME`).
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The whole source line, without its end.
    pub text: String,
    /// Width of the caret in characters, at least 1.
    pub width: u32,
}

impl Place {
    /// The place of the byte range `start..end` of `source`. Offsets out of range or inside a character are moved to
    /// the next boundary, so this never panics.
    pub fn of_bytes(file: impl Into<String>, source: &str, start: usize, end: usize) -> Self {
        let mut start = start.min(source.len());
        while !source.is_char_boundary(start) {
            start += 1;
        }
        let mut end = end.clamp(start, source.len());
        while !source.is_char_boundary(end) {
            end += 1;
        }
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..]
            .find('\n')
            .map_or(source.len(), |at| start + at);
        let line = source[..start].matches('\n').count() as u32 + 1;
        Self {
            file: file.into(),
            line,
            column: source[line_start..start].chars().count() as u32 + 1,
            text: source[line_start..line_end]
                .trim_end_matches('\r')
                .to_owned(),
            width: (source[start..end.min(line_end)].chars().count() as u32).max(1),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What the edge needs beside an error's `Display` text to be helpful.
pub trait Explain: std::error::Error {
    /// Where the fault stands, when it stands in a text.
    fn place(&self) -> Option<&Place> {
        None
    }

    /// What to do about it: one line, no final full stop.
    fn hint(&self) -> Option<String> {
        None
    }
}

/// The candidate nearest to `given`, when one is near enough to be a likely misspelling.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(given, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.chars().count() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
