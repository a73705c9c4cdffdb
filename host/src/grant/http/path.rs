//! Path prefixes.
//!
//! What stands before the server, and the server itself, may decode a path once more than we do, join slashes, or cut
//! `;…` off a segment before it looks for `..`. So a path is looked at as it is sent and after each decoding until nothing
//! changes; it must lie below the prefix in all of these readings, and in none of them may a segment lead upwards.

use std::fmt;

/// How often a path is decoded; one that still changes then is refused.
const DECODINGS: usize = 4;

/// What a path must begin with, in whole segments: `/api` covers `/api` and `/api/x`, not `/apix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Reads a path of a manifest.
    ///
    /// # Errors
    /// What is wrong with it, to be put after the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        if !text.starts_with('/') {
            return Err("does not begin with `/`".to_owned());
        }
        if text.contains(['?', '#', '*']) {
            return Err("is no plain path: no `?`, `#` or `*`".to_owned());
        }
        let readings =
            readings(text).map_err(|reason| format!("cannot be the start of a path: {reason}"))?;
        let sent = super::parse(&format!("http://host{text}"))
            .map_err(|reason| format!("cannot be the start of a path: {reason}"))?;
        if readings.len() > 1 || sent.path() != text {
            return Err("has characters that would be encoded, or are".to_owned());
        }
        Ok(Self(text.to_owned()))
    }

    fn covers(&self, path: &str) -> bool {
        let own = self.0.as_str();
        path.strip_prefix(own)
            .is_some_and(|rest| rest.is_empty() || own.ends_with('/') || rest.starts_with('/'))
    }

    /// Whether one of `prefixes` covers `path`, however often it is decoded. `Err` says why not.
    pub(crate) fn any_covers(prefixes: &[Self], path: &str) -> Result<(), String> {
        let readings = readings(path)?;
        let covered = prefixes
            .iter()
            .any(|prefix| readings.iter().all(|reading| prefix.covers(reading)));
        if covered {
            return Ok(());
        }
        Err("the grant has no such path".to_owned())
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The path as it is sent, decoded once, twice, …
fn readings(path: &str) -> Result<Vec<String>, String> {
    let mut readings = vec![path.to_owned()];
    let mut last = path.to_owned();
    loop {
        plain(&last)?;
        let next = decode(&last)?;
        if next == last {
            return Ok(readings);
        }
        if readings.len() > DECODINGS {
            return Err("the path is encoded too often".to_owned());
        }
        readings.push(next.clone());
        last = next;
    }
}

fn plain(path: &str) -> Result<(), String> {
    if path.contains('\\') || path.contains(char::is_control) {
        return Err("the path has a backslash or a control character in it".to_owned());
    }
    // Segments are cut at `;` as some servers do.
    let upwards = |segment: &str| matches!(segment.split(';').next(), Some("." | ".."));
    if path.split('/').any(upwards) {
        return Err("the path has a segment `.` or `..` in it".to_owned());
    }
    Ok(())
}

/// Every `%XX` once; a `%` that begins none stays.
fn decode(path: &str) -> Result<String, String> {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| (*byte as char).to_digit(16));
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let pair = (digit(bytes.get(at + 1)), digit(bytes.get(at + 2)));
        if let (b'%', (Some(high), Some(low))) = (byte, pair) {
            decoded.push((high * 16 + low) as u8);
            at += 3;
        } else {
            decoded.push(byte);
            at += 1;
        }
    }
    String::from_utf8(decoded).map_err(|_| "the path is no UTF-8 text when decoded".to_owned())
}
