//! Suggestions: the notes and the suggested edits that come with a message, as lines of advice and as a fix.

use super::advice::quoted;
use super::clean::GLUE_PATHS;
use super::diagnose::{Context, Place, place};
use super::finding::{Edit, Finding, byte_of};
use super::message::{Message, MessageSpan};
use super::noise::is_useful;
use super::{advice, derives, repair, suggest};
use crate::diagnostic::{Position, Span};

/// Longest text of a suggestion that is shown in a line of help, in characters.
const LONGEST_SUGGESTION: usize = 200;

/// Places with one and the same note that are shown.
const MOST_ALIKE: usize = 2;

/// How advice to import starts.
pub(super) const IMPORT: &str = "consider importing: ";

/// Most lines of a suggestion that are shown.
const MOST_LINES: usize = 4;

/// A note or a help text: a line of advice, a second place, or a suggestion.
pub(super) fn add(context: &Context<'_>, finding: &mut Finding, child: &Message) {
    let suggests = |span: &&MessageSpan| span.suggested_replacement.is_some();
    let suggested: Vec<&MessageSpan> = child.spans.iter().filter(suggests).collect();
    if suggested.is_empty() || !is_useful(&child.message) {
        add_note(context, finding, child);
        return;
    }
    if add_import(context, finding, &suggested) {
        return;
    }
    let mut edits = Vec::new();
    for span in &suggested {
        let Place::Text(at) = place(context, span) else {
            // A suggestion that also changes code of ours is none.
            return;
        };
        if (span.expansion.as_ref()).is_some_and(|expansion| !expansion.is_of_syntax()) {
            return;
        }
        edits.push(Edit {
            start: at.start,
            end: at.end,
            replacement: span.suggested_replacement.clone().unwrap_or_default(),
        });
    }
    if edits.iter().any(|edit| !is_useful(&edit.replacement)) {
        return;
    }
    let message = derives::without_known(context, &child.message, &mut edits);
    let text = suggestion_text(&context.snippet.text, &message, &edits);
    finding.diagnostic.help.extend(text);
    let by_machine = suggested
        .iter()
        .all(|span| span.suggestion_applicability.as_deref() == Some("MachineApplicable"));
    let mismatch = advice::expected_and_found(&finding.diagnostic.spans);
    let several = finding.diagnostic.message == "arguments to this function are incorrect";
    let clones = matches!(edits.as_slice(), [edit] if edit.replacement == ".clone()");
    if by_machine && clones && finding.diagnostic.code.as_deref() == Some("E0507") {
        // Of the two ways out of a reference the one that gives the type that was asked for.
        finding.edits.clear();
        finding.set_edits(edits);
    } else if by_machine && several {
        // A suggestion for each argument.
        finding.add_edits(edits);
    } else if by_machine || repair::is_certain(&message, &edits, mismatch) {
        finding.set_edits(edits);
    }
}

/// A note without a suggestion: words at a place, or words alone.
fn add_note(context: &Context<'_>, finding: &mut Finding, child: &Message) {
    let diagnostic = &mut finding.diagnostic;
    let mut places = child
        .spans
        .iter()
        .filter_map(|span| match place(context, span) {
            Place::Text(span) => Some(span),
            Place::Before | Place::Outside => None,
        });
    if !is_useful(&child.message) {
        // "for a trait to be dyn compatible …, visit": its words are of no use, the places that it points at are.
        // A chain of calls is seen in the snippet.
        let of_chain = child.message.starts_with("the method call chain");
        let labelled = places.filter(|place| place.label.is_some() && !of_chain);
        diagnostic.spans.extend(labelled.map(|place| Span {
            primary: false,
            ..place
        }));
        return;
    }
    let same = |span: &&Span| span.label.as_deref() == Some(child.message.as_str());
    if diagnostic.spans.iter().filter(same).count() >= MOST_ALIKE {
        // Each level of a deep type is "required because it's used within this closure".
    } else if let Some(place) = places.find(|place| place.primary) {
        diagnostic.spans.push(Span {
            label: Some(child.message.clone()),
            primary: false,
            ..place
        });
    } else if child.spans.is_empty() || !child.message.ends_with("here") {
        diagnostic.help.push(child.message.clone());
    }
}

/// Imports that the compiler would write above the first item, which is a line of ours: they go above the snippet's own.
/// Several are a choice. A single one is a fix where it makes a method known; which type or function is meant by an
/// unknown name the scope knows better.
fn add_import(context: &Context<'_>, finding: &mut Finding, suggested: &[&MessageSpan]) -> bool {
    let mut paths: Vec<&str> = Vec::new();
    for span in suggested {
        let path = (span.suggested_replacement.as_deref())
            .and_then(|text| text.trim().strip_prefix("use ")?.strip_suffix(';'));
        let (Some(path), Place::Before) = (path, place(context, span)) else {
            return false;
        };
        paths.push(path);
    }
    let of_method = finding.diagnostic.code.as_deref() == Some("E0599");
    paths.retain(|path| {
        let glue = GLUE_PATHS.iter().any(|glue| path.starts_with(glue));
        is_useful(path) && !glue && (of_method || suggest::is_new_type(context.scope, path))
    });
    if let ([path], true) = (paths.as_slice(), of_method) {
        finding.import(path);
    }
    if !paths.is_empty() {
        let shown: Vec<String> = paths.iter().map(|path| format!("`use {path};`")).collect();
        let line = format!("{IMPORT}{}", shown.join(" or "));
        finding.diagnostic.help.push(line);
    }
    true
}

/// `use a local: \`x\`` when one short replacement says it. Where the replacement is nothing or a mark (`&`), it says
/// nothing without its place: then the whole line as it would be, or no advice when it is more than a line.
fn suggestion_text(text: &str, message: &str, edits: &[Edit]) -> Option<String> {
    let [edit, others @ ..] = edits else {
        return None;
    };
    if others
        .iter()
        .any(|other| (other.start, other.end) == (edit.start, edit.end))
    {
        // Edits of one place are a choice.
        let choice: Vec<String> = (edits.iter())
            .filter(|other| (other.start, other.end) == (edit.start, edit.end))
            .map(|edit| {
                let text = edit.replacement.trim();
                // The other bracket is at the other end.
                let close = if text.ends_with('(') { "…)" } else { "" };
                format!("`{text}{close}`")
            })
            .collect();
        return Some(format!("{message}: {}", choice.join(" or ")));
    }
    if !others.is_empty() {
        return Some(with_line(message, edited_line(text, edits)));
    }
    // An arm that is added behind another one starts with the comma of that.
    let replacement = edit.replacement.trim().trim_start_matches(',').trim();
    // "add `;` here" needs no second time.
    let said = !replacement.is_empty()
        && quoted(message)
            .iter()
            .any(|text| text.contains(replacement));
    if said {
        return Some(message.to_owned());
    }
    if is_mark(replacement) {
        return edited_line(text, edits).map(|line| with_line(message, Some(line)));
    }
    // A line of its own and an arm say enough, anything else that is inserted is a part of something.
    let whole = edit.replacement.trim_start_matches(',').starts_with('\n')
        || edit.replacement.ends_with('\n');
    let inserted = edit.start == edit.end && !whole;
    let is_part = inserted || replacement.starts_with(['(', '.', '{', ':']);
    if let (true, Some(line)) = (is_part, edited_line(text, edits)) {
        return Some(with_line(message, Some(line)));
    }
    let short = replacement.chars().count() <= LONGEST_SUGGESTION && !replacement.contains('\n');
    Some(if short && !replacement.is_empty() {
        format!("{message}: `{replacement}`")
    } else {
        message.to_owned()
    })
}

fn with_line(message: &str, line: Option<String>) -> String {
    match line {
        Some(lines) if lines.contains('\n') => {
            format!("{message}:\n{lines}")
        }
        Some(line) => format!("{message}: `{line}`"),
        None => message.to_owned(),
    }
}

/// Whether a replacement is nothing, or `&`, `*`, `?`, `&mut`, `r#`.
fn is_mark(replacement: &str) -> bool {
    !replacement
        .replace("mut", "")
        .replace("r#", "")
        .contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// The lines that edits change, as they would be.
pub(super) fn edited_line(text: &str, edits: &[Edit]) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut numbers: Vec<u32> = edits.iter().map(|edit| edit.start.line).collect();
    numbers.dedup();
    if edits.iter().any(|edit| edit.start.line != edit.end.line) {
        return None;
    }
    let mut lines = Vec::new();
    for number in numbers {
        let mut line = text
            .lines()
            .nth(number.checked_sub(1)? as usize)?
            .to_owned();
        let column = 1;
        let start = byte_of(
            text,
            Position {
                line: number,
                column,
            },
        )?;
        let of_line = edits.iter().rev().filter(|edit| edit.start.line == number);
        for edit in of_line {
            let from = byte_of(text, edit.start)?.checked_sub(start)?;
            let to = byte_of(text, edit.end)?.checked_sub(start)?;
            line.get(from..to)?;
            line.replace_range(from..to, &edit.replacement);
        }
        lines.extend(line.lines().map(|line| line.trim().to_owned()));
    }
    let shown = lines.join("\n");
    let fits = lines.len() <= MOST_LINES && shown.chars().count() <= LONGEST_SUGGESTION;
    (!shown.is_empty() && fits).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(
        source: &str,
        message: &str,
        columns: (u32, u32),
        replacement: &str,
    ) -> Option<String> {
        let position = |column| Position { line: 1, column };
        let edit = Edit {
            start: position(columns.0),
            end: position(columns.1),
            replacement: replacement.to_owned(),
        };
        suggestion_text(source, message, &[edit])
    }

    #[test]
    fn a_suggestion_is_shown_where_it_says_something() {
        for (source, message, columns, replacement, expected) in [
            (
                "o.b",
                "a field with a similar name exists",
                (3, 4),
                "a",
                "a field with a similar name exists: `a`",
            ),
            (
                "x = 3;",
                "use a float literal",
                (6, 6),
                ".0",
                "use a float literal: `x = 3.0;`",
            ),
            ("f()", "add `;` here", (4, 4), ";", "add `;` here"),
            (
                "f(x)",
                "consider borrowing here",
                (3, 3),
                "&",
                "consider borrowing here: `f(&x)`",
            ),
            (
                "m { }",
                "add an arm",
                (4, 4),
                ",\n    B(_) => todo!()",
                "add an arm: `B(_) => todo!()`",
            ),
            (
                "f()",
                "import it",
                (1, 1),
                "use a::f;\n",
                "import it: `use a::f;`",
            ),
        ] {
            assert_eq!(
                shown(source, message, columns, replacement).as_deref(),
                Some(expected)
            );
        }
        assert_eq!(shown(&"x".repeat(300), "remove it", (1, 2), ""), None);
    }
}
