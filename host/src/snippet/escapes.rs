//! Escapes: which one in a text or character literal is none of Rust's. proc-macro2 says of such a literal only that it
//! is no token; `"\d+"` is what models write most, and the way out is a raw string.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Span};

use super::lex;

/// What is wrong with the first escape that does not exist, if there is one in `text`.
pub(super) fn fault(text: &str) -> Option<Diagnostic> {
    lex::tokens(text).find_map(|token| {
        let source = text.get(token.clone())?;
        let (prefix, source_at) = match source.as_bytes() {
            [prefix @ (b'b' | b'c'), b'"', ..] | [prefix @ b'b', b'\'', ..] => {
                (*prefix, token.start + 1)
            }
            [b'"', ..] => (b' ', token.start),
            [b'\'', b'\\', ..] => (b' ', token.start),
            _ => return None,
        };
        let is_text = text[source_at..].starts_with('"');
        let literal = text.get(source_at..token.end)?;
        let (range, message, help) = first_bad(literal, prefix, is_text)?;
        let range = source_at + range.start..source_at + range.end;
        Some(
            Diagnostic::error("syntax", message)
                .at(Span::of_bytes(text, range).labelled("no escape of Rust"))
                .help(help),
        )
    })
}

/// The place, what it is and what to write instead.
fn first_bad(literal: &str, prefix: u8, is_text: bool) -> Option<(Range<usize>, String, String)> {
    let (bytes, any_byte) = (prefix == b'b', matches!(prefix, b'b' | b'c'));
    let mut at = 0;
    while let Some(found) = literal[at..].find('\\') {
        let start = at + found;
        let mut behind = literal[start + 1..].chars();
        let escaped = behind.next()?;
        let end = start + 1 + escaped.len_utf8();
        at = end;
        match escaped {
            'n' | 'r' | 't' | '\\' | '0' | '\'' | '"' => {}
            '\n' | '\r' if is_text => {}
            'x' => {
                let digits = literal.get(end..end + 2).unwrap_or_default();
                let value = u8::from_str_radix(digits, 16).ok();
                if !value.is_some_and(|value| any_byte || value < 0x80) {
                    return Some((
                        start..end,
                        "`\\x` takes two hexadecimal digits, in a text up to `\\x7F`".to_owned(),
                        "a character beyond is written `\\u{e9}`, or as it is".to_owned(),
                    ));
                }
            }
            'u' if !bytes => {
                if let Some((end, message, help)) = unicode(&literal[end..], end) {
                    return Some((start..end, message, help));
                }
            }
            other => {
                let raw = if bytes { "br\"…\"" } else { "r\"…\"" };
                let raw = if is_text {
                    format!(", or a raw string: `{raw}`")
                } else {
                    String::new()
                };
                return Some((
                    start..end,
                    format!("unknown character escape: `\\{}`", other.escape_debug()),
                    format!("for a backslash write `\\\\`{raw}"),
                ));
            }
        }
    }
    None
}

/// What is wrong with what stands behind `\u`.
fn unicode(rest: &str, at: usize) -> Option<(usize, String, String)> {
    let Some((digits, _)) = rest
        .strip_prefix('{')
        .and_then(|inner| inner.split_once('}'))
    else {
        let digits: String = rest
            .chars()
            .take(4)
            .take_while(char::is_ascii_hexdigit)
            .collect();
        return Some((
            at + digits.len(),
            "the digits of a Unicode escape stand in braces".to_owned(),
            format!(
                "write `\\u{{{}}}`",
                if digits.is_empty() { "e9" } else { &digits }
            ),
        ));
    };
    let value = u32::from_str_radix(&digits.replace('_', ""), 16).ok();
    let end = at + digits.len() + 2;
    if value.and_then(char::from_u32).is_some() {
        return None;
    }
    let (message, help) = if value.is_some_and(|value| (0xD800..0xE000).contains(&value)) {
        (
            "a Unicode escape cannot be half of a surrogate pair",
            "write the character itself, or its whole number: `\\u{1F600}`",
        )
    } else {
        (
            "no character has this number",
            "a Unicode escape has one to six hexadecimal digits, up to `\\u{10FFFF}`",
        )
    };
    Some((end, message.to_owned(), help.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Option<String> {
        fault(text).map(|diagnostic| diagnostic.message)
    }

    #[test]
    fn escapes_of_rust_are_none() {
        let all = r#"let s = "\n\r\t\\\0\'\"\x7f\u{1F600}\u{1_F600}\
            more"; let b = b"\xff\0"; let c = c"\xff"; let r = r"\d"; let q = '\''; let u = b'\\'; // "\d
            /* '\q' */ let l: &'a str = br"\d";"#;
        assert_eq!(message(all), None);
    }

    #[test]
    fn each_kind_is_found() {
        for (text, expected) in [
            (r#"a("é \d+")"#, r"unknown character escape: `\d`"),
            (r#"b"\u{41}""#, r"unknown character escape: `\u`"),
            (r"'\q'", r"unknown character escape: `\q`"),
            (r"b'\q'", r"unknown character escape: `\q`"),
            (r"b'\u{41}'", r"unknown character escape: `\u`"),
            (
                r#""\xff""#,
                r"`\x` takes two hexadecimal digits, in a text up to `\x7F`",
            ),
            (
                r#""caf\u00e9""#,
                "the digits of a Unicode escape stand in braces",
            ),
            (
                r#""\u{D83D}""#,
                "a Unicode escape cannot be half of a surrogate pair",
            ),
            (r"'\u{110000}'", "no character has this number"),
        ] {
            assert_eq!(message(text).as_deref(), Some(expected), "{text}");
        }
    }
}
