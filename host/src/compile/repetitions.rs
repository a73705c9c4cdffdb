//! Repetitions: notes that only say again what a label says.

use std::collections::HashSet;

use super::advice::{quoted, types_of};
use crate::diagnostic::Diagnostic;

/// Takes out the note on two types that a label names already. And a closure that rustc suggests around a function is
/// completed where it leaves a place for what it has: a `&String` is taken where `&str` is wanted.
pub(super) fn drop(diagnostic: &mut Diagnostic) {
    for line in &mut diagnostic.help {
        if line.contains("|arg0: &String|") {
            *line = line.replace("/* &str */", "arg0");
        }
    }
    let said: Vec<(String, String)> = diagnostic
        .spans
        .iter()
        .filter_map(|span| types_of(span.label.as_deref()?))
        .map(|(expected, found)| (bare(expected), bare(found)))
        .collect();
    diagnostic.help.retain(|line| {
        let quoted = quoted(line);
        let is_note = line.trim_start().starts_with("expected ") && line.contains("\n");
        let ([expected, found], true) = (quoted.as_slice(), is_note) else {
            return true;
        };
        let (expected, found) = (bare(expected), bare(found));
        let mut said = said.iter();
        !said.any(|(one, other)| is_short_for(&expected, one) && is_short_for(&found, other))
    });
    let mut seen = HashSet::new();
    diagnostic.help.retain(|line| seen.insert(line.clone()));
}

/// Whether a type is another one, perhaps with `_` for some of its parts.
fn is_short_for(short: &str, ty: &str) -> bool {
    let parts: Vec<&str> = short.split('_').collect();
    let [first, middle @ .., last] = parts.as_slice() else {
        return short == ty;
    };
    let Some(mut rest) = ty.strip_prefix(first) else {
        return false;
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A type without the references around it, lifetimes that are not named, and modules, which a label may leave out.
fn bare(ty: &str) -> String {
    let ty = ty.replace("'static ", "").replace("'_ ", "");
    let mut short = String::new();
    for part in ty.trim_start_matches('&').split("::") {
        // What stands before `::` ends in the name of a module.
        let end = short
            .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
            .len();
        short.truncate(end);
        short.push_str(part);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_compared_without_their_references() {
        let note = "expected reference `&a::Item`\n   found reference `&'static b::Item`";
        let mut diagnostic = Diagnostic::error("x", "mismatched types")
            .help(note)
            .help("consider `a::Item`")
            .at(crate::diagnostic::Span::of_bytes("x", 0..1)
                .labelled("expected `a::Item`, found `b::Item`"));
        drop(&mut diagnostic);
        assert_eq!(diagnostic.help, ["consider `a::Item`"]);
        diagnostic.help = vec![note.replace("b::Item", "b::Other")];
        drop(&mut diagnostic);
        assert_eq!(diagnostic.help.len(), 1);
        assert!(is_short_for("(u8, _, _)", "(u8, char, bool)"));
        assert!(is_short_for("my_type", "my_type"));
        assert!(!is_short_for("(u8, _)", "(u16, char)"));
    }
}
