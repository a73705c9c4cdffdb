//! Copied: text that was copied with marks that are no code, though each of its lines holds some.

use super::finding::Finding;
use crate::diagnostic::Level;

/// Says it with the first error, if the text looks like one.
pub(super) fn explain(text: &str, findings: &mut Vec<Finding>) {
    left_out_once(text, findings);
    let mut errors = findings.iter_mut().map(|finding| &mut finding.diagnostic);
    if let (Some(line), Some(first)) = (
        of_text(text),
        errors.find(|diagnostic| diagnostic.level == Level::Error),
    ) {
        first.help.push(line.to_owned());
    }
}

/// What a whole text looks like that is no code as it stands, though each of its lines holds some.
fn of_text(text: &str) -> Option<&'static str> {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let numbers: Vec<u32> = lines().filter_map(number).collect();
    if numbers.len() > 1
        && numbers.len() == lines().count()
        && numbers.windows(2).all(|pair| pair[0] < pair[1])
    {
        return Some("the lines start with line numbers: write the code without them");
    }
    let starts = |mark: &str| lines().any(|line| line.starts_with(mark));
    if starts("@@ ") || (starts("+") && starts("-")) {
        return Some(
            "this looks like a patch: write the whole code, without `+` and `-` before its lines",
        );
    }
    if ["-&gt;", "=&gt;", "Vec&lt;", "&amp;&amp;"]
        .iter()
        .any(|mark| text.contains(mark))
    {
        return Some("`&gt;`, `&lt;` and `&amp;` are HTML: write `>`, `<` and `&`");
    }
    lines()
        .any(is_left_out)
        .then_some("`...` is no code: nothing can be left out, write the whole code")
}

/// Where text was left out (`...`) rustc speaks of ranges. What it says of such lines is one finding, without that advice.
fn left_out_once(text: &str, findings: &mut Vec<Finding>) {
    let lines: Vec<&str> = text.lines().collect();
    let mut told = false;
    findings.retain_mut(|finding| {
        let at = (finding.diagnostic.primary().map(|span| span.start.line))
            .and_then(|at| lines.get(at.checked_sub(1)? as usize));
        if !at.is_some_and(|at| is_left_out(at)) {
            return true;
        }
        finding.diagnostic.help.clear();
        !std::mem::replace(&mut told, true)
    });
}

fn is_left_out(line: &str) -> bool {
    matches!(line.trim(), "..." | "…" | "[...]")
}

/// The number that a line starts with, as listings have them: `12 | code`, `12: code`, `12  code`.
fn number(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &line[digits..];
    let is_mark = rest.is_empty()
        || rest.starts_with(['|', ':', '\t', '│'])
        || rest.starts_with(" |")
        || rest.starts_with("  ")
        || rest.starts_with(" │");
    if is_mark {
        line[..digits].parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_and_patches_are_known_by_all_their_lines() {
        let numbers = Some("the lines start with line numbers: write the code without them");
        assert_eq!(of_text("1 | fn f() {\n2 |\n3 | }\n"), numbers);
        assert_eq!(of_text("  9: a\n 10: b\n"), numbers);
        assert_eq!(of_text("1\n"), None);
        assert_eq!(of_text("1 | 2\nlet a = 1;\n"), None);
        assert_eq!(of_text("2 | 1\n1 | 2\n"), None);
        assert!(of_text("-a\n+b\n").is_some_and(|line| line.contains("patch")));
        assert_eq!(of_text("a\n    - b\n    + c\n"), None);
        assert!(of_text("fn f() {\n    ...\n}\n").is_some_and(|line| line.contains("left out")));
    }
}
