//! What the compiler suggests to write, as a line of advice.

use super::finding::{Edit, byte_of};
use crate::diagnostic::Position;

/// Longest text of a suggestion that is shown in a line of help, in characters.
const LONGEST_SUGGESTION: usize = 200;

/// `use a local: \`x\`` when one short replacement says it. Where the replacement is nothing or a mark (`&`), it says
/// nothing without its place: then the whole line as it would be, or no advice when it is more than a line.
pub(super) fn text(text: &str, message: &str, edits: &[Edit]) -> Option<String> {
    let [edit] = edits else {
        return Some(match edited_line(text, edits) {
            Some(line) => format!("{message}: `{line}`"),
            None => message.to_owned(),
        });
    };
    // An arm that is added behind another one starts with the comma of that.
    let replacement = edit.replacement.trim().trim_start_matches(", ");
    let adds_punctuation = !replacement.is_empty() && message.contains(replacement);
    if is_mark(replacement) && !adds_punctuation {
        return edited_line(text, edits).map(|line| format!("{message}: `{line}`"));
    }
    let short = replacement.chars().count() <= LONGEST_SUGGESTION && !replacement.contains('\n');
    Some(
        if short && !replacement.is_empty() && !message.contains(replacement) {
            format!("{message}: `{replacement}`")
        } else {
            message.to_owned()
        },
    )
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
