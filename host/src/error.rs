//! What every stage's errors share: the place in a source text, and the way out.
//!
//! Each stage has an error enum of its own, beside the stage. They implement [`Explain`], so the edge (the CLI, or a
//! host program) can draw the source line with a caret and print a hint without knowing the stage.

pub(crate) mod text;

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

    /// What to do about it, no final full stop. Lines behind the first are text to copy, such as lines of a manifest.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Further errors of the same kind that were found in the same pass, so that one look mends them all.
    fn others(&self) -> Vec<&dyn Explain> {
        Vec::new()
    }
}

/// One thing that is wrong in what a person wrote: what the error enums of `plan` and `grant` carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What is wrong, lower-case, no full stop.
    pub message: String,
    /// Where; boxed, because every result of `plan` would be as large as its rare error.
    pub place: Option<Box<Place>>,
    /// The way out.
    pub hint: Option<String>,
    /// What else was found in the same pass.
    pub others: Vec<Fault>,
}

impl Fault {
    /// A fault without a place.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: None,
            hint: None,
            others: Vec::new(),
        }
    }

    /// The same at a place.
    #[must_use]
    pub fn at(mut self, place: impl Into<Option<Place>>) -> Self {
        self.place = place.into().map(Box::new);
        self
    }

    /// The same with a way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the advice for a misspelt name, or without if nothing is near.
    #[must_use]
    pub fn did_you_mean<'a>(
        mut self,
        given: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        if let Some(near) = nearest(given, known) {
            self.hint = Some(format!("did you mean `{near}`?"));
        }
        self
    }

    /// The first of several with the others behind it, each once, whoever met it again; `None` if there is none.
    pub fn several(faults: Vec<Self>) -> Option<Self> {
        let mut faults = faults.into_iter();
        let mut first = faults.next()?;
        for fault in faults {
            if fault != first && !first.others.contains(&fault) {
                first.others.push(fault);
            }
        }
        Some(first)
    }
}

impl Explain for Fault {
    fn place(&self) -> Option<&Place> {
        self.place.as_deref()
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn others(&self) -> Vec<&dyn Explain> {
        self.others
            .iter()
            .map(|fault| fault as &dyn Explain)
            .collect()
    }
}

/// Widest piece of a source line that is drawn, in characters: a minified line would fill the screen.
const WIDEST: usize = 120;

/// The error as text for people, without colour: message, place with the source line and a caret, hint; then the
/// others in the same form.
pub fn render(error: &dyn Explain) -> String {
    let mut text = format!("error: {error}\n");
    if let Some(place) = error.place() {
        text += &draw(place);
    }
    if let Some(hint) = error.hint() {
        let hint = hint.replace('\n', "\n    ");
        text += &format!("\nhint: {hint}\n");
    }
    for other in error.others() {
        text.push('\n');
        text += &render(other);
    }
    text
}

fn draw(place: &Place) -> String {
    let number = place.line.to_string();
    let margin = " ".repeat(number.len());
    let column = place.column.saturating_sub(1) as usize;
    // A tab is drawn as one column, or the caret would stand elsewhere; control characters never reach a terminal.
    let line: Vec<char> = place.text.chars().map(drawable).collect();
    let first = if column > WIDEST * 3 / 4 {
        column - WIDEST / 2
    } else {
        0
    };
    let shown: String = line.iter().skip(first).take(WIDEST).collect();
    let before = if first > 0 { "…" } else { "" };
    let after = if line.len() > first + WIDEST {
        "…"
    } else {
        ""
    };
    let indent = " ".repeat(column - first + before.chars().count());
    let room = (first + WIDEST).saturating_sub(column).max(1);
    let caret = "^".repeat((place.width as usize).clamp(1, room));
    let shown = format!("{before}{shown}{after}");
    let shown = shown.trim_end();
    format!("{margin}--> {place}\n{margin} |\n{number} | {shown}\n{margin} | {indent}{caret}\n")
}

fn drawable(character: char) -> char {
    match character {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        control if control.is_control() => ' ',
        plain => plain,
    }
}

/// The candidate nearest to `given`, when one is near enough to be a likely misspelling.
pub fn nearest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(given, candidate), candidate))
        .filter(|(distance, candidate)| {
            let length = candidate.chars().count();
            // Of a short name at most half may differ, or any two letters would be near each other.
            *distance <= 1 + length / 3 && distance * 2 <= length.max(given.chars().count())
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_drawn_with_caret_and_hint() {
        let source = "schema = 1\n\tpath = \"x\"\n";
        let fault = Fault::new("unknown key `path`")
            .at(Place::of_bytes("lacuna.toml", source, 12, 16))
            .hint("write this:\n[a]\nb = 1");
        assert_eq!(
            render(&fault),
            "error: unknown key `path`\n --> lacuna.toml:2:2\n  |\n2 |  path = \"x\"\n  |  ^^^^\n\nhint: write this:\n    [a]\n    b = 1\n"
        );
    }

    #[test]
    fn near_is_a_misspelling_and_not_just_short() {
        assert_eq!(nearest("tow", ["one", "two"]), Some("two"));
        assert_eq!(nearest("nn", ["n"]), Some("n"));
        assert_eq!(nearest("a:b", ["t:h"]), None);
        assert_eq!(nearest("m", ["s", "n"]), None);
    }

    #[test]
    fn several_errors_stand_behind_each_other() {
        let fault = Fault::several(vec![
            Fault::new("one"),
            Fault::new("two"),
            Fault::new("two"),
        ])
        .unwrap();
        assert_eq!(render(&fault), "error: one\n\nerror: two\n");
    }

    #[test]
    fn long_and_hostile_lines_are_tamed() {
        let source = format!("{}\u{1b}[31m\u{202e}x{}", "a".repeat(500), "b".repeat(500));
        let text = render(&Fault::new("x").at(Place::of_bytes("f", &source, 500, 900)));
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        assert!(
            text.lines().all(|line| line.chars().count() < 140),
            "{text}"
        );
    }

    #[test]
    fn places_never_panic() {
        let source = "é\r\nü";
        for start in 0..9 {
            for end in 0..9 {
                let place = Place::of_bytes("f", source, start, end);
                render(&Fault::new("x").at(place));
            }
        }
    }
}
