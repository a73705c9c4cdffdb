//! Repair: machine-applicable suggestions, applied once, before a model is bothered.

use super::finding::{Edit, Finding, byte_of};
use crate::diagnostic::{Fix, Level, Span};

/// The text with every machine-applicable edit of an error applied, and the fixes; `None` when there are none.
///
/// Where two edits overlap the first one in the text wins: the second was made for a text that is gone. All edits of
/// one finding are applied, or none: half of a suggestion is no suggestion.
pub(super) fn apply(text: &str, findings: &[Finding]) -> Option<(String, Vec<Fix>)> {
    let mut chosen: Vec<Edit> = Vec::new();
    for finding in findings {
        if finding.diagnostic.level != Level::Error || finding.edits.is_empty() {
            continue;
        }
        // The same import, asked for at two places, is inserted once.
        let new: Vec<&Edit> = finding.edits.iter().filter(|edit| !chosen.contains(edit)).collect();
        let fits = new.iter().all(|edit| {
            chosen.iter().all(|taken| taken.end <= edit.start || edit.end <= taken.start)
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
