//! Operands: how far the value on one side of an operator reaches, read from the text alone.
//!
//! An operand is a name, a literal or a group with what is called on it. Where another operator is part of it, too little is
//! found; what is then converted has another type, and the code does not compile.

use std::ops::Range;

/// The operand that starts behind `from`.
pub(super) fn right(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = skip_blank(bytes, from);
    let mut at = start;
    while matches!(bytes.get(at), Some(b'*' | b'-' | b'!')) {
        at += 1;
    }
    let first = at;
    loop {
        match bytes.get(at).unwrap_or(&b';') {
            b'(' | b'[' => at = closing(bytes, at)? + 1,
            b'?' => at += 1,
            b if is_word(*b) => at += 1,
            b'.' if bytes.get(at + 1) != Some(&b'.') => at += 1,
            b':' if bytes.get(at + 1) == Some(&b':') => {
                at += 2;
                if bytes.get(at) == Some(&b'<') {
                    at += text.get(at..)?.find('>')? + 1;
                }
            }
            _ => {
                // A chain of calls goes on behind a line break, a cast behind a blank.
                let next = skip_blank(bytes, at);
                let rest = text.get(next..)?;
                if next > at && rest.starts_with('.') && !rest.starts_with("..") {
                    at = next;
                } else if next > at && rest.starts_with("as ") {
                    at = skip_blank(bytes, next + 2);
                } else {
                    break;
                }
            }
        }
    }
    (at > first).then_some(start..at)
}

/// The operand that ends before `to`.
pub(super) fn left(text: &str, to: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = text.get(..to)?.trim_end().len();
    let end = at;
    while let Some(last) = at.checked_sub(1) {
        match bytes[last] {
            b')' | b']' => at = opening(bytes, last)?,
            b'>' => {
                at = text.get(..last)?.rfind('<')?;
                if !text.get(..at)?.ends_with("::") {
                    return None;
                }
            }
            b'?' | b'.' | b':' => at = last,
            b if is_word(b) => at = last,
            b if b.is_ascii_whitespace() && bytes.get(at) == Some(&b'.') => {
                at = text.get(..at)?.trim_end().len();
            }
            _ => break,
        }
    }
    (at < end).then_some(at..end)
}

/// Whether a text is one operand, so that something may be put behind it.
pub(super) fn is_one(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '['));
    // Behind the last character a scan needs one that ends it.
    starts && right(&format!("{text};"), 0) == Some(0..text.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn skip_blank(bytes: &[u8], from: usize) -> usize {
    let blank = bytes.iter().skip(from);
    from + blank.take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The bracket that closes the one at `open`; none when quotes make it unsure.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The bracket that opens the one at `close`; none when quotes make it unsure.
fn opening(bytes: &[u8], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for at in (0..=close).rev() {
        match bytes[at] {
            b')' | b']' | b'}' => depth += 1,
            b'(' | b'[' | b'{' => depth = depth.checked_sub(1)?,
            b'"' | b'\'' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_found_on_both_sides() {
        for (text, one, other) in [
            ("a + b.len() * 2.0;", "b.len()", "2.0"),
            (
                "return xs.iter().sum::<f64>() * xs.len() as u32 + 1;",
                "xs.iter().sum::<f64>()",
                "xs.len() as u32",
            ),
            ("x = (a + b) * *n;", "(a + b)", "*n"),
            ("f(grid[y][x] * w)", "grid[y][x]", "w"),
            ("total\n    .get()? * size", "total\n    .get()?", "size"),
            ("m[\"a\"] * b;", "", "b"),
        ] {
            let at = text.find('*').unwrap();
            let shown = |range: Option<Range<usize>>| range.map_or("", |range| &text[range]);
            assert_eq!(shown(left(text, at)), one, "{text}");
            assert_eq!(shown(right(text, at + 1)), other, "{text}");
        }
        assert!(is_one("names.len()") && is_one("a::b(c)[d]?"));
        assert!(
            !is_one("a + b") && !is_one("-a") && !is_one("if a { b } else { c }") && !is_one("")
        );
    }
}
