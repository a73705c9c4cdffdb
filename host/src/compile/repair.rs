//! Repair: machine-applicable suggestions, applied once, before a model is bothered.

use super::finding::{Edit, Finding, byte_of};
use crate::diagnostic::{Fix, Level, Span};

/// What makes a suggestion compile and then panic: that is for the author to decide.
const PANICS: [&str; 5] = ["unwrap", "expect(", "panic", "todo!", "unimplemented!"];

/// Derives that add nothing but what the fields say. An order of the fields may be another one than the author's.
const DERIVES: [&str; 5] = ["Clone", "Debug", "Eq", "Hash", "PartialEq"];

/// Whether a suggestion that rustc is not sure of is none the less the one thing that can be meant: it only inserts, the
/// types leave no other way, and no value comes out differently. `mismatch` is what was expected and what was found.
pub(super) fn is_certain(message: &str, edits: &[Edit], mismatch: Option<(&str, &str)>) -> bool {
    if edits.iter().any(|edit| edit.start != edit.end) {
        return false;
    }
    let texts: Vec<&str> = edits.iter().map(|edit| edit.replacement.trim()).collect();
    match texts.as_slice() {
        // A number where text is asked for is another matter.
        [".to_string()"] => {
            matches!(mismatch, Some(("String", found)) if matches!(found.trim_start_matches('&'), "str" | "String"))
        }
        ["Ok(", ")"] => message == "try wrapping the expression in `Ok`",
        ["Some(", ")"] => message == "try wrapping the expression in `Some`",
        ["\"{}\","] => message.starts_with("you might be missing a string literal"),
        // The items are then borrowed; where that makes a difference it does not compile.
        ["&"] => message.starts_with("consider iterating over a slice of the"),
        [derive] if message.starts_with("consider annotating `") => {
            let names = derive
                .strip_prefix("#[derive(")
                .and_then(|rest| rest.strip_suffix(")]"));
            names.is_some_and(|names| names.split(", ").all(|name| DERIVES.contains(&name)))
        }
        // Lifetimes decide what compiles, never what is computed.
        lifetimes if message.starts_with("consider introducing a named lifetime parameter") => {
            lifetimes
                .iter()
                .all(|text| text.chars().all(|c| "<'a>, ".contains(c)))
        }
        _ => false,
    }
}

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
    fn only_what_the_types_leave_no_choice_about_is_certain() {
        let certain = |message, edits: &[(u32, u32, u32, &str)], mismatch| {
            is_certain(message, &finding(edits).edits, mismatch)
        };
        let convert = "try using a conversion method";
        let text = &[(1, 4, 4, ".to_string()")];
        assert!(certain(convert, text, Some(("String", "&str"))));
        assert!(!certain(convert, text, Some(("String", "u32"))));
        assert!(!certain(
            convert,
            &[(1, 1, 4, ".to_string()")],
            Some(("String", "&str"))
        ));
        let wrap = &[(1, 1, 1, "Ok("), (1, 4, 4, ")")];
        assert!(certain("try wrapping the expression in `Ok`", wrap, None));
        assert!(!certain(
            "try wrapping the expression in a variant of `Result`",
            wrap,
            None
        ));
        let derive = "consider annotating `Key` with a derive";
        assert!(certain(derive, &[(1, 1, 1, "#[derive(Eq, Hash)]\n")], None));
        assert!(!certain(derive, &[(1, 1, 1, "#[derive(Ord)]\n")], None));
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
