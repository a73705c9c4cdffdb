//! Spelling: names that are right but for the characters they are written with.

use super::advice::quoted;
use super::diagnose::Context;
use super::finding::byte_of;
use crate::diagnostic::{Diagnostic, Position, Span};

/// Names in which letters of another alphabet stand between those of ASCII, where the difference may be invisible.
pub(super) fn foreign_letters(diagnostic: &Diagnostic) -> Vec<String> {
    // Greek to Armenian, and the wide forms of ASCII.
    let alike = |c: &char| matches!(*c as u32, 0x370..=0x58f | 0xff00..=0xffef);
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
    let mut found: Vec<String> = Vec::new();
    for name in texts.flat_map(|text| quoted(text)) {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mixed = name.chars().any(|c| c.is_ascii_alphabetic());
        if let (true, true, Some(letter)) = (is_name, mixed, name.chars().find(alike)) {
            let line = format!(
                "the letter `{letter}` in `{name}` is U+{:04X}, none of ASCII: write the whole name in one alphabet",
                letter as u32
            );
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
}

/// A name as WIT writes it, in the snippet.
pub(super) struct Hyphenated {
    /// Where it starts.
    pub(super) start: Position,
    /// `read_text`.
    rust: String,
}

/// The WIT name that a place is in, where the scope has it: `read-text`, which Rust reads as a subtraction.
pub(super) fn hyphenated(context: &Context<'_>, span: &Span) -> Option<Hyphenated> {
    let text = context.snippet.text.as_str();
    let at = byte_of(text, span.start)?;
    let of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let from = (text.get(..at)?.char_indices().rev())
        .take_while(|(_, c)| of_name(*c))
        .last()
        .map_or(at, |(from, _)| from);
    let behind = text.get(at..)?;
    let to = at + behind.find(|c: char| !of_name(c)).unwrap_or(behind.len());
    let name = text.get(from..to)?;
    let rust = name.replace('-', "_");
    let surface = &context.scope.surface;
    let known = [&surface.exports, &surface.types, &surface.imports]
        .into_iter()
        .any(|source| {
            (source.split(|c: char| !(c.is_alphanumeric() || c == '_'))).any(|word| word == rust)
        });
    (name.contains('-') && known).then(|| Hyphenated {
        start: Position::of_byte(text, from),
        rust,
    })
}

/// An unknown name or field that is the start of a WIT name.
pub(super) fn of_hyphen(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    if !matches!(
        diagnostic.code.as_deref(),
        Some("E0423" | "E0425" | "E0560" | "E0609")
    ) {
        return None;
    }
    let name = hyphenated(context, diagnostic.primary()?)?;
    let rust = name.rust;
    Some(format!(
        "names are written with `_` in Rust: `{rust}`, not `{}`",
        rust.replace('_', "-")
    ))
}
