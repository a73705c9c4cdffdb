//! Text that a model chose must not steer a terminal or reorder a line.

use std::borrow::Cow;
use std::fmt::Write;

/// Replaces control characters (line feed and tab stay), ANSI sequences, bidirectional and invisible characters and
/// line separators by their `\u{…}` form.
///
/// A snippet can put such text into a diagnostic (`compile_error!`, a string literal that is quoted back), a plan can
/// put it into a prompt; shown as they are they could hide or forge what a person or a model reads.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// The same for JSON that is written already: such characters can stand in its strings only, where `\uXXXX` means the
/// same, so the value stays what it is and a terminal shows it as it is written.
pub fn escape_json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// Whether a character acts on the text around it instead of being seen.
fn is_hidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}
