//! Where a text stops being a sequence of Rust tokens with balanced delimiters.
//!
//! proc-macro2 decides whether it is one; its errors have no useful place for an unbalanced delimiter, and it cannot
//! tell whether a text ends inside a string. This scanner knows just enough of Rust's lexical grammar for both.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Span};

/// What is wrong with the text as tokens.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    message: String,
    range: Range<usize>,
    label: &'static str,
    /// Another place that explains the first.
    other: Option<(Range<usize>, &'static str)>,
    help: Option<&'static str>,
    /// Whether the text just ends too early.
    pub(super) cut_off: bool,
}

impl Fault {
    fn new(message: impl Into<String>, range: Range<usize>, label: &'static str) -> Self {
        Self {
            message: message.into(),
            range,
            label,
            other: None,
            help: None,
            cut_off: false,
        }
    }

    /// The fault as a diagnostic of `text`.
    pub(super) fn diagnostic(&self, text: &str) -> Diagnostic {
        let mut diagnostic = Diagnostic::error("syntax", self.message.clone()).at(Span::of_bytes(
            text,
            self.range.clone(),
        )
        .labelled(self.label));
        if let Some((range, label)) = &self.other {
            diagnostic = diagnostic.at(Span::of_bytes(text, range.clone())
                .labelled(*label)
                .secondary());
        }
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// The first fault that keeps `text` from being balanced tokens.
pub(super) fn fault(text: &str) -> Option<Fault> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let start = at;
        match step(text, at) {
            Ok(next) => at = next,
            Err(fault) => return Some(fault),
        }
        // Only a lone delimiter is one character long and a delimiter at once.
        match character {
            '(' | '[' | '{' => open.push((character, start)),
            ')' | ']' | '}' => match open.pop() {
                None => {
                    return Some(Fault::new(
                        format!("unexpected closing delimiter: `{character}`"),
                        start..at,
                        "unexpected closing delimiter",
                    ));
                }
                Some((opening, opened_at)) if closing(opening) != character => {
                    let mut fault = Fault::new(
                        format!("mismatched closing delimiter: `{character}`"),
                        start..at,
                        "mismatched closing delimiter",
                    );
                    fault.other = Some((opened_at..opened_at + 1, "unclosed delimiter"));
                    return Some(fault);
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    let (opening, opened_at) = open.pop()?;
    let mut fault = Fault::new(
        format!("unclosed delimiter: `{opening}` is never closed"),
        opened_at..opened_at + 1,
        "unclosed delimiter",
    );
    let end = text.trim_end().len();
    fault.other = Some((end..end, "the code ends here"));
    fault.cut_off = true;
    Some(fault)
}

/// Tokens, comments and white space as far as the text can be read.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at = step(text, at).ok().filter(|next| *next > start)?;
        Some(start..at)
    })
}

/// Whether `text` ends inside a string or a block comment, so that what follows still belongs to it.
pub(super) fn ends_inside_literal(text: &str) -> bool {
    let mut at = 0;
    while at < text.len() {
        match step(text, at) {
            Ok(next) => at = next,
            Err(fault) if fault.cut_off => return true,
            Err(_) => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
    }
    false
}

fn closing(opening: char) -> char {
    match opening {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// The offset behind the token, comment or white space that starts at `at`.
fn step(text: &str, at: usize) -> Result<usize, Fault> {
    let rest = &text[at..];
    let mut characters = rest.chars();
    let Some(first) = characters.next() else {
        return Ok(text.len());
    };
    let behind = at + first.len_utf8();
    if rest.starts_with("//") {
        return Ok(rest.find('\n').map_or(text.len(), |end| at + end));
    }
    if rest.starts_with("/*") {
        return block_comment(text, at);
    }
    match first {
        '"' => string(text, at, behind),
        '\'' => quote(text, at),
        _ if is_word(first) => {
            let end = at + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let word = &text[at..end];
            let follows = &text[end..];
            if matches!(word, "r" | "br" | "cr") {
                let hashes = follows.len() - follows.trim_start_matches('#').len();
                if follows[hashes..].starts_with('"') {
                    return raw_string(text, at, end + hashes + 1, hashes);
                }
                if hashes == 1 && follows[1..].starts_with(is_word) {
                    return Ok(end + 1);
                }
            }
            if matches!(word, "b" | "c") && follows.starts_with('"') {
                return string(text, at, end + 1);
            }
            if word == "b" && follows.starts_with('\'') {
                return quote(text, end);
            }
            Ok(end)
        }
        // Reserved since the edition of 2024: rustc reads a string of a kind that does not exist yet.
        '#' if rest.trim_start_matches('#').starts_with('"') => {
            let end = at + rest.find('"').map_or(1, |quote| quote + 1);
            let mut fault = Fault::new(
                "`#` right before a quote is reserved",
                at..end,
                "starts no string",
            );
            fault.help = Some("put a blank between them, or write a raw string: `r#\"…\"#`");
            Err(fault)
        }
        _ if first.is_ascii_punctuation() && first != '`' && first != '\\' => Ok(behind),
        _ if is_blank(first) => Ok(behind),
        other => {
            let mut fault = Fault::new(
                if other.is_ascii_graphic() {
                    format!("unknown start of token: {other}")
                } else {
                    format!("unknown start of token: {}", other.escape_unicode())
                },
                at..behind,
                "not a Rust token",
            );
            fault.help = meant(other);
            Err(fault)
        }
    }
}

/// Whether a token is a comment, documentation or not.
pub(super) fn is_comment(token: &str) -> bool {
    token.starts_with("//") || token.starts_with("/*")
}

/// White space as rustc has it, which is not what Unicode calls so.
pub(super) fn is_blank(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
    )
}

/// What stands in place of a character that text programs put in, or that nobody sees.
fn meant(character: char) -> Option<&'static str> {
    Some(match character {
        '`' => {
            "a fence stands on a line of its own; in Rust there are no backticks outside strings and comments"
        }
        '\\' => "`\\n` is a line feed in a string only: write the code with real line ends",
        '“' | '”' | '„' | '«' | '»' => "it is a typographic quotation mark: write `\"`",
        '‘' | '’' | '‚' => "it is a typographic apostrophe: write `'`",
        '–' | '—' | '−' => "it is a typographic dash: write `-`",
        '…' => "it is one character: `...` is no code, write what was left out",
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {
            "this character cannot be seen: delete it"
        }
        blank if blank.is_whitespace() => {
            "it looks like a blank and is none: write plain blanks in the whole code"
        }
        _ => return None,
    })
}

fn is_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

fn cut_off(message: &str, range: Range<usize>) -> Fault {
    let mut fault = Fault::new(message, range, "starts here and never ends");
    fault.cut_off = true;
    fault
}

fn block_comment(text: &str, at: usize) -> Result<usize, Fault> {
    let bytes = text.as_bytes();
    let mut depth = 0;
    let mut here = at;
    while here + 1 < bytes.len() {
        match &bytes[here..here + 2] {
            b"/*" => {
                depth += 1;
                here += 2;
            }
            b"*/" => {
                depth -= 1;
                here += 2;
                if depth == 0 {
                    return Ok(here);
                }
            }
            _ => here += 1,
        }
    }
    Err(cut_off("unterminated block comment", at..at + 2))
}

fn string(text: &str, at: usize, behind_quote: usize) -> Result<usize, Fault> {
    let bytes = text.as_bytes();
    let mut here = behind_quote;
    while here < bytes.len() {
        match bytes[here] {
            b'"' => return Ok(behind_suffix(text, here + 1)),
            b'\\' => here += 2,
            _ => here += 1,
        }
    }
    Err(cut_off(
        "unterminated double quote string",
        at..behind_quote,
    ))
}

fn raw_string(text: &str, at: usize, behind_quote: usize, hashes: usize) -> Result<usize, Fault> {
    let end = format!("\"{}", "#".repeat(hashes));
    text[behind_quote..]
        .find(&end)
        .map(|found| behind_suffix(text, behind_quote + found + end.len()))
        .ok_or_else(|| cut_off("unterminated raw string", at..behind_quote))
}

/// The end of a name that stands right behind a literal and belongs to it: in `""r"x"` the `r` does, and opens nothing.
fn behind_suffix(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    if !rest.starts_with(|c: char| is_word(c) && !c.is_numeric()) {
        return end;
    }
    end + rest.find(|c| !is_word(c)).unwrap_or(rest.len())
}

/// A character literal or a lifetime.
fn quote(text: &str, at: usize) -> Result<usize, Fault> {
    let rest = &text[at + 1..];
    let mut characters = rest.char_indices();
    match characters.next() {
        Some((_, '\\')) => {
            // Behind the escaped character, which may itself be a quote.
            let skipped = characters.next().map_or(1, |(_, c)| 1 + c.len_utf8());
            match rest[skipped..].find(['\'', '\n']) {
                Some(end) if rest[skipped + end..].starts_with('\'') => {
                    Ok(behind_suffix(text, at + 1 + skipped + end + 1))
                }
                _ => Err(unterminated(at)),
            }
        }
        Some((_, first)) if characters.next().is_some_and(|(_, second)| second == '\'') => {
            Ok(behind_suffix(text, at + 1 + first.len_utf8() + 1))
        }
        Some((_, first)) if is_word(first) => {
            let end = at + 1 + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if text[end..].starts_with('\'') {
                let mut fault = Fault::new(
                    "a character literal holds one character",
                    at..end + 1,
                    "several characters",
                );
                fault.help = Some(DOUBLE_QUOTES);
                return Err(fault);
            }
            Ok(end)
        }
        _ => Err(unterminated(at)),
    }
}

/// The usual reason for a character literal that does not end: a text in the quotes of other languages.
const DOUBLE_QUOTES: &str = "text stands in double quotes: `\"…\"`";

fn unterminated(at: usize) -> Fault {
    let mut fault = Fault::new(
        "unterminated character literal",
        at..at + 1,
        "starts here and never ends",
    );
    fault.help = Some(DOUBLE_QUOTES);
    fault
}
