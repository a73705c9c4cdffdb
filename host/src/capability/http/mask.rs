//! Secrets taken out of what a server sends back: as they are, and in the forms that servers echo things in.
//!
//! This is for servers that repeat a request by accident, in a page of errors or a debugging header. One that wants to
//! give the secret away has it already and can write it in a way that nobody foresaw.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

/// What stands in place of a secret.
const MASK: &[u8] = b"[secret]";

/// How many characters of an escape of an escape are looked at.
const MOST_ESCAPES: usize = 8;

/// The parts of a header's value that are secret each for itself: the whole, what follows the word of a scheme
/// (`Bearer`), and what a `Basic` token holds, as a whole and its password.
pub(super) fn pieces(value: &str) -> Vec<String> {
    let mut pieces = vec![value.to_owned()];
    let Some((scheme, token)) = value.split_once(' ') else {
        return pieces;
    };
    let token = token.trim();
    pieces.push(token.to_owned());
    if !scheme.eq_ignore_ascii_case("basic") {
        return pieces;
    }
    let engines = [STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD];
    let decoded = engines.iter().find_map(|engine| engine.decode(token).ok());
    if let Some(plain) = decoded.and_then(|bytes| String::from_utf8(bytes).ok()) {
        if let Some((_, password)) = plain.split_once(':') {
            pieces.push(password.to_owned());
        }
        pieces.push(plain);
    }
    pieces
}

/// What is looked for.
#[derive(Default)]
pub(super) struct Mask {
    needles: Vec<Needle>,
}

enum Needle {
    /// A text, each character of it plain or escaped, letters in either case.
    Text(Vec<u8>),
    /// Its bytes as pairs of hexadecimal digits.
    Hex(Vec<u8>),
    /// What base64 of any text has in it where the secret stands, in one of three alignments.
    Base64(Vec<u8>),
}

impl Mask {
    /// Of secrets; none is empty.
    pub(super) fn of<T: AsRef<[u8]>>(secrets: &[T]) -> Self {
        let mut needles = Vec::new();
        for secret in secrets {
            let secret = secret.as_ref();
            needles.push(Needle::Text(secret.to_vec()));
            needles.push(Needle::Hex(secret.to_vec()));
            needles.extend((0..3).map(|before| Needle::Base64(aligned(secret, before))));
        }
        Self { needles }
    }

    /// `bytes` without secrets.
    pub(super) fn bytes(&self, bytes: Vec<u8>) -> Vec<u8> {
        let found = self.found(&bytes);
        if found.is_empty() {
            return bytes;
        }
        let mut masked = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for (start, end) in found {
            masked.extend_from_slice(&bytes[from..start]);
            masked.extend_from_slice(MASK);
            from = end;
        }
        masked.extend_from_slice(&bytes[from..]);
        masked
    }

    /// `text` without secrets.
    pub(super) fn text(&self, text: String) -> String {
        match String::from_utf8(self.bytes(text.into_bytes())) {
            Ok(text) => text,
            // A needle may begin or end within a character that only looks like one of its bytes.
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }

    /// Where secrets stand: start and end, in order, none touching the next.
    fn found(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for needle in &self.needles {
            let mut at = 0;
            while at < bytes.len() {
                match needle.at(bytes, at) {
                    Some(end) => {
                        found.push(needle.widened(bytes, at, end));
                        // The next one may overlap.
                        at += 1;
                    }
                    None => at += 1,
                }
            }
        }
        found.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (start, end) in found {
            match joined.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => joined.push((start, end)),
            }
        }
        joined
    }
}

impl Needle {
    /// The end of the needle, if it stands at `start`.
    fn at(&self, bytes: &[u8], start: usize) -> Option<usize> {
        match self {
            Self::Text(needle) => text(bytes, start, needle),
            Self::Hex(needle) => hex(bytes, start, needle),
            Self::Base64(needle) => base64(bytes, start, needle),
        }
    }

    /// The characters of base64 beside the needle hold some bits of the secret.
    fn widened(&self, bytes: &[u8], start: usize, end: usize) -> (usize, usize) {
        let Self::Base64(_) = self else {
            return (start, end);
        };
        let is_part = |at: usize| {
            bytes
                .get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte))
        };
        let before = start.checked_sub(1).filter(|at| is_part(*at));
        let after = if is_part(end) { end + 1 } else { end };
        (before.unwrap_or(start), after)
    }
}

/// Letters in either case, each character escaped or not.
fn text(bytes: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let same = |found: u8, wanted: u8| found.eq_ignore_ascii_case(&wanted);
    matched(start, needle, |at, wanted, ends| {
        characters(bytes, at, |found| same(found, wanted), ends);
        if wanted == b' ' && bytes.get(at) == Some(&b'+') {
            ends.push(at + 1);
        }
    })
}

/// Either alphabet, escaped or not, broken into lines or not.
fn base64(bytes: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let same = |found: u8, wanted: u8| match wanted {
        b'+' => found == b'+' || found == b'-',
        b'/' => found == b'/' || found == b'_',
        _ => found == wanted,
    };
    matched(start, needle, |at, wanted, ends| {
        let at = if at == start {
            at
        } else {
            after_line_end(bytes, at)
        };
        characters(bytes, at, |found| same(found, wanted), ends);
    })
}

/// Whether a needle stands at `start`, and where it ends at the latest. `step` adds the places where one character that
/// begins at a place can end: a `%` can be itself or begin an escape.
fn matched(
    start: usize,
    needle: &[u8],
    step: impl Fn(usize, u8, &mut Vec<usize>),
) -> Option<usize> {
    let (first, rest) = needle.split_first()?;
    // Nearly every place ends here, and allocates nothing.
    let mut places = Vec::new();
    step(start, *first, &mut places);
    let mut next = Vec::new();
    for wanted in rest {
        next.clear();
        for at in &places {
            step(*at, *wanted, &mut next);
        }
        next.sort_unstable();
        next.dedup();
        std::mem::swap(&mut places, &mut next);
        if places.is_empty() {
            return None;
        }
    }
    places.last().copied()
}

/// Where one character at `at` can end: plain, or escaped as in URLs (`%41`, and `%2541`), JSON and programs (`\u0041`,
/// `\x41`, `\/`), and HTML (`&#65;`, `&#x41;`, `&quot;`).
fn characters(bytes: &[u8], at: usize, same: impl Fn(u8) -> bool, ends: &mut Vec<usize>) {
    let Some(first) = bytes.get(at) else {
        return;
    };
    if same(*first) {
        ends.push(at + 1);
    }
    let rest = &bytes[at..];
    let digits = |from: usize| {
        number(bytes, from, 2)
            .filter(|found| same(*found))
            .map(|_| from + 2)
    };
    match first {
        b'%' => {
            let mut from = at + 1;
            ends.extend(digits(from));
            while from < at + MOST_ESCAPES && bytes[from..].starts_with(b"25") {
                from += 2;
                ends.extend(digits(from));
            }
        }
        b'\\' => {
            // The backslash itself may be escaped once more, where JSON stands in JSON.
            let count = rest
                .iter()
                .take(MOST_ESCAPES)
                .take_while(|byte| **byte == b'\\')
                .count();
            let next = at + count;
            match bytes.get(next) {
                Some(b'u' | b'U') if bytes[next + 1..].starts_with(b"00") => {
                    ends.extend(digits(next + 3))
                }
                Some(b'x') => ends.extend(digits(next + 1)),
                _ => {}
            }
            if bytes.get(next).is_some_and(|found| same(*found)) {
                ends.push(next + 1);
            }
        }
        b'&' => {
            let found = entity(rest).filter(|(found, _)| same(*found));
            ends.extend(found.map(|(_, length)| at + length));
        }
        _ => {}
    }
}

/// `&#65;`, `&#x41;`, `&amp;`: the byte and the length.
fn entity(text: &[u8]) -> Option<(u8, usize)> {
    let end = text.iter().take(10).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(text.get(1..end)?).ok()?;
    let byte = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u8::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        },
        None => match name {
            "amp" => b'&',
            "lt" => b'<',
            "gt" => b'>',
            "quot" => b'"',
            "apos" => b'\'',
            _ => return None,
        },
    };
    Some((byte, end + 1))
}

/// The number of `digits` hexadecimal digits.
fn number(bytes: &[u8], at: usize, digits: usize) -> Option<u8> {
    let digits = bytes.get(at..at + digits)?;
    digits.iter().try_fold(0u8, |number, digit| {
        let digit = (*digit as char).to_digit(16)?;
        number.checked_mul(16)?.checked_add(digit as u8)
    })
}

/// Pairs of digits, with nothing or one of `:`, `-` and a blank between two.
fn hex(bytes: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let mut at = start;
    for (index, byte) in needle.iter().enumerate() {
        if index > 0 && matches!(bytes.get(at), Some(b':' | b'-' | b' ')) {
            at += 1;
        }
        if number(bytes, at, 2)? != *byte {
            return None;
        }
        at += 2;
    }
    Some(at)
}

/// The characters of base64 that a secret fills alone, when `before` bytes stand before it in its group of three.
fn aligned(secret: &[u8], before: usize) -> Vec<u8> {
    let mut whole = vec![0; before];
    whole.extend_from_slice(secret);
    let encoded = STANDARD_NO_PAD.encode(&whole).into_bytes();
    // A character holds six bits.
    let first = (before * 8).div_ceil(6);
    let last = whole.len() * 8 / 6;
    encoded[first..last].to_vec()
}

/// Behind the end of a line, if one stands there, in plain text or in JSON.
fn after_line_end(bytes: &[u8], mut at: usize) -> usize {
    for end in [b"\r".as_slice(), b"\\r", b"\n", b"\\n"] {
        if bytes.get(at..).is_some_and(|rest| rest.starts_with(end)) {
            at += end.len();
        }
    }
    at
}
