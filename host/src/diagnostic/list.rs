//! A list of diagnostics as a whole: its order, its caps, its form for the model.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Diagnostic, Level, Position, Span, escape_controls, picture};

/// Most diagnostics in JSON (CONTRACTS section 5).
const MOST: usize = 64;
/// Most bytes of all diagnostics in JSON (CONTRACTS section 5).
const MOST_BYTES: usize = 64 * 1024;
/// Most diagnostics shown to a model (CONTRACTS section 5).
const MOST_FOR_MODEL: usize = 8;
/// Most bytes of diagnostics shown to a model (CONTRACTS section 5).
const MOST_BYTES_FOR_MODEL: usize = 4 * 1024;
/// Most bytes of one text inside a diagnostic; rustc prints whole types, which can be longer than the snippet.
const MOST_TEXT: usize = 2 * 1024;
/// Most spans and most lines of advice of one diagnostic.
const MOST_PARTS: usize = 12;

/// Puts errors first and the rest in the order of the text, drops repetitions, caps the list, escapes control
/// characters and fills `rendered`. The number tells how many were left out by the caps.
pub fn finish(diagnostics: Vec<Diagnostic>, snippet_text: &str) -> (Vec<Diagnostic>, u64) {
    let mut ordered = diagnostics;
    ordered.sort_by_key(|diagnostic| {
        (
            diagnostic.level != Level::Error,
            diagnostic.primary().map_or(END, |span| span.start),
        )
    });
    let mut seen = HashSet::new();
    ordered.retain(|diagnostic| {
        let start = diagnostic.primary().map(|span| span.start);
        seen.insert((diagnostic.code.clone(), diagnostic.message.clone(), start))
    });

    let lines: Vec<&str> = snippet_text.lines().collect();
    let total = ordered.len();
    let mut kept = Vec::new();
    let mut bytes = 0;
    for mut diagnostic in ordered.into_iter().take(MOST) {
        shorten(&mut diagnostic);
        diagnostic.rendered = picture::draw(&diagnostic, &lines);
        bytes += serde_json::to_string(&diagnostic).map_or(MOST_BYTES, |json| json.len());
        // The first one is kept whatever its size: a rejection without a reason helps nobody, and the caps on its
        // parts bound it.
        if bytes > MOST_BYTES && !kept.is_empty() {
            break;
        }
        kept.push(diagnostic);
    }
    let omitted = (total - kept.len()) as u64;
    (kept, omitted)
}

/// The same list for a model: errors only if there are any, at most 8 and 4 KiB.
pub fn for_model(diagnostics: &[Diagnostic], snippet_text: &str) -> String {
    let errors = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.level == Level::Error);
    let relevant: Vec<&Diagnostic> = diagnostics
        .iter()
        .filter(|diagnostic| !errors || diagnostic.level == Level::Error)
        .collect();
    let lines: Vec<&str> = snippet_text.lines().collect();
    let mut text = String::new();
    let mut shown = 0;
    for diagnostic in relevant.iter().take(MOST_FOR_MODEL) {
        let mut short = (*diagnostic).clone();
        shorten(&mut short);
        let part = picture::draw(&short, &lines);
        // Room is left for the line that says how many are missing.
        if text.len() + part.len() + 1 > MOST_BYTES_FOR_MODEL - 40 {
            if shown > 0 {
                break;
            }
            text.push_str(&cut(&part, MOST_BYTES_FOR_MODEL - 80));
            text.push('\n');
            shown += 1;
            break;
        }
        if shown > 0 {
            text.push('\n');
        }
        text.push_str(&part);
        shown += 1;
    }
    let missing = relevant.len() - shown;
    if missing > 0 {
        text.push_str(&format!("\n({missing} more not shown)\n"));
    }
    text
}

/// Behind every position, so that what has no place comes last.
const END: Position = Position {
    line: u32::MAX,
    column: u32::MAX,
};

/// Caps and escapes the texts of one diagnostic.
fn shorten(diagnostic: &mut Diagnostic) {
    clean(&mut diagnostic.message);
    diagnostic.spans.truncate(MOST_PARTS);
    for span in &mut diagnostic.spans {
        order(span);
        if let Some(label) = &mut span.label {
            clean(label);
        }
    }
    diagnostic.help.truncate(MOST_PARTS);
    for line in &mut diagnostic.help {
        clean(line);
    }
    // A fix that is cut would be a wrong one.
    if diagnostic
        .fix
        .as_ref()
        .is_some_and(|fix| fix.replacement.len() > MOST_TEXT)
    {
        diagnostic.fix = None;
    }
}

/// A span from a faulty source must not confuse the picture.
fn order(span: &mut Span) {
    span.start.line = span.start.line.max(1);
    span.start.column = span.start.column.max(1);
    if span.end < span.start {
        span.end = span.start;
    }
}

fn clean(text: &mut String) {
    if let Cow::Owned(escaped) = escape_controls(text) {
        *text = escaped;
    }
    if text.len() > MOST_TEXT {
        *text = cut(text, MOST_TEXT);
    }
}

/// The first `most` bytes, at a character's boundary, with an ellipsis.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}
