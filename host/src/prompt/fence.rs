//! A fence that its content cannot close.

use crate::diagnostic::escape_controls;

/// `content` as a fenced block: control characters escaped, at most `most` bytes, with a fence longer than any run of
/// backticks in it.
pub(super) fn fenced(language: &str, content: &str, most: usize) -> String {
    let content = escape_controls(content.trim_end());
    let mut content = content.trim_start_matches('\n');
    let mut cut = false;
    if content.len() > most {
        let mut end = most;
        while !content.is_char_boundary(end) {
            end -= 1;
        }
        content = &content[..end];
        cut = true;
    }
    let fence = "`".repeat(longest_run(content).max(2) + 1);
    let rest = if cut { "\n… (cut)" } else { "" };
    format!("{fence}{language}\n{content}{rest}\n{fence}\n")
}

/// Length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
