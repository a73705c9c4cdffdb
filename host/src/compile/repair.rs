//! Repair: machine-applicable suggestions, applied once, before a model is bothered.

use super::finding::{Edit, Finding, byte_of};
use crate::diagnostic::{Fix, Level, Span};

/// What makes a suggestion compile and then panic: that is for the author to decide.
const PANICS: [&str; 5] = ["unwrap", "expect(", "panic", "todo!", "unimplemented!"];

/// The text with every machine-applicable edit of an error applied, and the fixes; `None` when there are none.
///
/// Where two edits overlap the first one in the text wins: the second was made for a text that is gone. All edits of
/// one finding are applied, or none: half of a suggestion is no suggestion. Only edits that add text are applied: some
/// suggestions that rustc calls machine-applicable take code away or make other code of it (`vec![a, 3]` becomes
/// `vec![a; 3]`), and then something compiles that nobody meant.
pub(super) fn apply(text: &str, findings: &[Finding]) -> Option<(String, Vec<Fix>)> {
    let mut chosen: Vec<Edit> = Vec::new();
    for finding in findings {
        let adds = finding.edits.iter().all(|edit| edit.start == edit.end);
        // `.try_into().unwrap()`: compiles, and ends the call with the first value that does not fit.
        let panics = |edit: &Edit| PANICS.iter().any(|word| edit.replacement.contains(word));
        let may = adds && !finding.edits.iter().any(panics);
        if finding.diagnostic.level != Level::Error || finding.edits.is_empty() || !may {
            continue;
        }
        // The same import, asked for at two places, is inserted once.
        let new: Vec<&Edit> = finding
            .edits
            .iter()
            .filter(|edit| !chosen.contains(edit))
            .collect();
        let fits = new.iter().all(|edit| {
            chosen
                .iter()
                .all(|taken| taken.end <= edit.start || edit.end <= taken.start)
        });
        if fits {
            chosen.extend(new.into_iter().cloned());
        }
    }
    if chosen.is_empty() {
        return None;
    }
    // Stable, so that insertions at one place keep the order of the findings.
    chosen.sort_by_key(|edit| (edit.start, edit.end));
    let mut repaired = String::with_capacity(text.len());
    let mut done = 0;
    for edit in &chosen {
        let (start, end) = (byte_of(text, edit.start)?, byte_of(text, edit.end)?);
        repaired.push_str(text.get(done..start)?);
        repaired.push_str(&edit.replacement);
        done = end;
    }
    repaired.push_str(text.get(done..)?);
    let fixes = chosen
        .into_iter()
        .map(|edit| Fix {
            span: Span {
                start: edit.start,
                end: edit.end,
                label: None,
                primary: true,
            },
            replacement: edit.replacement,
        })
        .collect();
    (repaired != text).then_some((repaired, fixes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Position;

    fn finding(edits: &[(u32, u32, u32, &str)]) -> Finding {
        let mut finding = Finding::ours("test", "", None);
        let edit = |(line, start, end, text): &(u32, u32, u32, &str)| Edit {
            start: Position {
                line: *line,
                column: *start,
            },
            end: Position {
                line: *line,
                column: *end,
            },
            replacement: (*text).to_owned(),
        };
        finding.set_edits(edits.iter().map(edit).collect());
        finding
    }

    #[test]
    fn insertions_are_made_once_and_in_the_order_of_the_text() {
        let text = "let ä = a;\nb(a)";
        let import = finding(&[(1, 1, 1, "use x;\n")]);
        let findings = [
            finding(&[(2, 3, 3, "&")]),
            import.clone(),
            finding(&[(1, 5, 5, "mut ")]),
            import,
        ];
        let (repaired, fixes) = apply(text, &findings).unwrap();
        assert_eq!(repaired, "use x;\nlet mut ä = a;\nb(&a)");
        assert_eq!(fixes.len(), 3);
    }

    #[test]
    fn nothing_is_taken_away() {
        assert_eq!(apply("vec![a, 3]", &[finding(&[(1, 7, 9, "; ")])]), None);
        assert_eq!(
            apply("f(Some(x))", &[finding(&[(1, 3, 8, ""), (1, 9, 10, "")])]),
            None
        );
        assert_eq!(apply("x", &[finding(&[(9, 1, 1, "y")])]), None);
    }
}
