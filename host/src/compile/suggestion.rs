//! Suggestion: a change that the compiler proposes, as one line of help.

use super::finding::{Edit, byte_of};
use crate::diagnostic::Position;

/// Longest text of a suggestion that is shown in a line of help, in characters.
const LONGEST_SUGGESTION: usize = 200;

/// `use a local: \`x\`` when one short replacement says it. Where the replacement is nothing, a mark (`&`) or a part that is
/// put in (`.0`), it says little without its place: then the whole line as it would be.
pub(super) fn text(text: &str, message: &str, edits: &[Edit]) -> Option<String> {
    let [edit] = edits else {
        return Some(match edited_line(text, edits) {
            Some(line) => format!("{message}: `{line}`"),
            None => message.to_owned(),
        });
    };
    // An arm that is added behind another one starts with the comma of that.
    let is_arm = edit.replacement.starts_with(',');
    let replacement = edit.replacement.trim_start_matches(',').trim();
    // "add `;` here" needs no second time.
    if !replacement.is_empty() && quotes(message, replacement) {
        return Some(message.to_owned());
    }
    let inserted = edit.start == edit.end && !is_arm && !edit.replacement.ends_with('\n');
    let is_part = inserted || replacement.starts_with(['(', '.', '{', ':']);
    let line = (is_part || is_mark(replacement))
        .then(|| edited_line(text, edits))
        .flatten();
    if let Some(line) = line {
        return Some(format!("{message}: `{line}`"));
    }
    if is_mark(replacement) {
        return None;
    }
    let short = replacement.chars().count() <= LONGEST_SUGGESTION && !replacement.contains('\n');
    Some(if short {
        format!("{message}: `{replacement}`")
    } else {
        message.to_owned()
    })
}

/// Whether a message has the text between backticks.
fn quotes(message: &str, text: &str) -> bool {
    let quoted = message.split('`').skip(1).step_by(2);
    quoted.into_iter().any(|quoted| quoted.contains(text))
}

/// Whether a replacement is nothing, or `&`, `*`, `?`, `&mut`, `r#`.
fn is_mark(replacement: &str) -> bool {
    replacement == "r#"
        || !replacement
            .replace("mut", "")
            .contains(|c: char| c.is_alphanumeric() || c == '_')
}

/// The one line that edits change, as it would be.
fn edited_line(text: &str, edits: &[Edit]) -> Option<String> {
    let number = edits.first()?.start.line;
    let one = |edit: &Edit| {
        edit.start.line == number && edit.end.line == number && !edit.replacement.contains('\n')
    };
    if !edits.iter().all(one) {
        return None;
    }
    let line = text.lines().nth(number.checked_sub(1)? as usize)?;
    let start = byte_of(
        text,
        Position {
            line: number,
            column: 1,
        },
    )?;
    let mut line = line.to_owned();
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.start, edit.end)));
    for edit in edits {
        let from = byte_of(text, edit.start)?.checked_sub(start)?;
        let to = byte_of(text, edit.end)?.checked_sub(start)?;
        line.get(from..to)?;
        line.replace_range(from..to, &edit.replacement);
    }
    let line = line.trim();
    (!line.is_empty() && line.chars().count() <= LONGEST_SUGGESTION).then(|| line.to_owned())
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
        text(source, message, &[edit])
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
