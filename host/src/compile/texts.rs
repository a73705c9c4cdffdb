//! Texts: characters, bytes and repeated text as other languages have them, and what stands in a format string.

use super::advice::quoted;
use super::diagnose::Context;
use super::finding::{Finding, byte_of};
use super::{handles, numbers};
use crate::diagnostic::Diagnostic;

/// Types of std that are iterators, without their modules and parameters.
const ITERATORS: [&str; 50] = [
    "Bytes",
    "Chain",
    "CharIndices",
    "Chars",
    "Chunks",
    "ChunksExact",
    "Cloned",
    "Copied",
    "Cycle",
    "Drain",
    "Enumerate",
    "Filter",
    "FilterMap",
    "FlatMap",
    "Flatten",
    "Fuse",
    "Inspect",
    "IntoIter",
    "IntoKeys",
    "IntoValues",
    "Iter",
    "IterMut",
    "Keys",
    "Lines",
    "Map",
    "MapWhile",
    "MatchIndices",
    "Matches",
    "Once",
    "Peekable",
    "RSplit",
    "RSplitN",
    "Range",
    "Repeat",
    "Rev",
    "Scan",
    "Skip",
    "SkipWhile",
    "Split",
    "SplitAsciiWhitespace",
    "SplitInclusive",
    "SplitN",
    "SplitTerminator",
    "SplitWhitespace",
    "StepBy",
    "Successors",
    "Take",
    "TakeWhile",
    "Values",
    "Windows",
];

/// Whether a type as rustc writes it (`std::str::Split<'_, char>`) is an iterator of std.
pub(super) fn is_iterator(ty: &str) -> bool {
    let bare = ty.trim_start_matches("&mut ").trim_start_matches('&');
    let bare = bare.split('<').next().unwrap_or(bare);
    ITERATORS.contains(&super::suggest::last_segment(bare))
}

/// An index into what has none: `text.chars()[1]`.
pub(super) fn index(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let ty = *quoted(&diagnostic.message).first()?;
    let bare = ty.trim_start_matches('&');
    if bare.starts_with("HashSet<") || bare.starts_with("BTreeSet<") {
        return Some(
            "a set has no index: `.iter().nth(index)`, or collect it into a `Vec`".to_owned(),
        );
    }
    if bare.starts_with("Option<") || bare.starts_with("Result<") {
        return Some(format!(
            "a `{ty}` holds a value or none: take it out first, with `?`, `match` or `let … else`"
        ));
    }
    if ty == "()" {
        return Some("`{}` is an empty block: an empty map is `HashMap::new()`".to_owned());
    }
    if let Some(line) = handles::offered(context.scope, ty) {
        return Some(line);
    }
    if !is_iterator(ty) {
        return None;
    }
    let index = context
        .primary_text(diagnostic)
        .and_then(|text| text.strip_prefix('[')?.strip_suffix(']'))
        .filter(|index| !index.contains(".."))
        .unwrap_or("index");
    Some(format!(
        "an iterator has no index: `.nth({index})` in place of `[{index}]` gives an `Option`; to use many, collect it into a \
         `Vec` once, `.collect::<Vec<_>>()`, and index that"
    ))
}

/// Operators between characters, bytes and texts.
pub(super) fn operands(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let message = diagnostic.message.as_str();
    let names = quoted(message);
    let [one, other] = names.as_slice() else {
        return None;
    };
    let (one, other) = (one.trim_start_matches('&'), other.trim_start_matches('&'));
    let is_text = |ty: &str| matches!(ty, "str" | "String");
    if message.starts_with("cannot multiply ") && (is_text(one) || is_text(other)) {
        let count = if is_text(one) { other } else { one };
        return Some(if count == "usize" || count == "{integer}" {
            "a text is repeated by `.repeat(count)`".to_owned()
        } else {
            "a text is repeated by `.repeat(count as usize)`".to_owned()
        });
    }
    let arithmetic = ["cannot subtract ", "cannot add "]
        .iter()
        .any(|start| message.starts_with(start));
    if !arithmetic || (one != "char" && other != "char") {
        return None;
    }
    // "cannot subtract `char` from `u8`": the right side is told first.
    let (right, left) = (one, other);
    if (right, left) == ("char", "char") {
        return Some(
            "characters are no numbers: take both as numbers, `a as u32 - b as u32`; the value of a digit is `c.to_digit(10)`"
                .to_owned(),
        );
    }
    let literal = literal_behind(context, diagnostic);
    if right == "char" && numbers::is_integer(left) {
        return Some(match (left, literal) {
            ("u8", Some(literal)) => format!("a byte is written with `b` before it: `b{literal}`"),
            (_, Some(literal)) => format!("take the character as a number: `{literal} as {left}`"),
            (_, None) => format!("take the character as a number, with `as {left}`"),
        });
    }
    Some(
        "characters are no numbers: `char::from(b'a' + n)` with a `u8`, or `char::from_u32(c as u32 + n)`, which is an `Option`"
            .to_owned(),
    )
}

/// The literal of a character behind the operator at the primary place.
fn literal_behind<'a>(context: &Context<'a>, diagnostic: &Diagnostic) -> Option<&'a str> {
    let text = context.snippet.text.as_str();
    let at = byte_of(text, diagnostic.primary()?.end)?;
    let rest = text.get(at..)?.trim_start();
    let inner = rest.strip_prefix('\'')?;
    let escaped = usize::from(inner.starts_with('\\'));
    let end = inner
        .char_indices()
        .skip(1 + escaped)
        .find(|(_, c)| *c == '\'')?
        .0;
    let literal = rest.get(..end + 2)?;
    // As a byte it must be one of ASCII.
    (literal.is_ascii() && !literal.contains("\\u")).then_some(literal)
}

/// `"{items[0]}"`, `"{text.len()}"`: expressions where only names can stand.
pub(super) fn format_string(finding: &mut Finding) -> Option<String> {
    let message = finding.diagnostic.message.as_str();
    let of_string = message.starts_with("invalid format string: ");
    let expression = [
        "expected `}`, found `[`",
        "expected `}`, found `(`",
        "expected `}`, found `+`",
        "expected `}`, found `-`",
        "expected `}`, found `*`",
        "expected `}`, found `/`",
        "field access isn't supported",
        "tuple index access isn't supported",
    ]
    .iter()
    .any(|what| message.ends_with(what));
    if !of_string || !expression {
        return None;
    }
    finding
        .diagnostic
        .help
        .retain(|line| !line.contains("you can escape it"));
    Some(
        "only a name stands in `{…}`: write `{}` there and the expression behind the text, `format!(\"{} …\", items[0])`"
            .to_owned(),
    )
}
