//! Whether the lexer of the parser's tokens and the one of rustc see the same texts and comments.
//!
//! The screen looks at the tokens of `proc_macro2`, the compiler at its own. Where one of them sees a string and the other
//! code, a `mod x;` can hide: `'r"\" "` is a lifetime and a string for rustc, an apostrophe, a raw string and the start of
//! another string for `proc_macro2`. So the bytes of the text are read by [`lex`](super::lex), which follows rustc, and
//! both must say the same of each: code, text, or neither.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Span};

use super::lex;
use super::tokens::{Kind, Token};

/// What a byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Byte {
    /// Blank, or a comment.
    Nothing,
    /// Code: a word, a number, punctuation.
    Code,
    /// The string or character that starts at this offset.
    Text(usize),
}

/// The first place of which the two lexers say different things.
pub(super) fn disagreement(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let ours = ours(text);
    let mut theirs = vec![Byte::Nothing; text.len()];
    // A doc comment is an attribute for them: the `#` has its place, and all other tokens lie within it.
    let mut documentation = 0..0;
    for token in tokens {
        let range = token.range.clone();
        let source = text.get(range.clone())?;
        if lex::is_comment(source) {
            documentation = range;
        } else if documentation.start <= range.start && range.end <= documentation.end {
            continue;
        } else if token.kind == Kind::Literal {
            mark(&mut theirs, source, range);
        } else {
            theirs[range].fill(Byte::Code);
        }
    }
    let at = (0..text.len()).find(|at| ours[*at] != theirs[*at])?;
    let start = (0..=at).rev().find(|at| text.is_char_boundary(*at))?;
    let end = (at + 1..=text.len()).find(|at| text.is_char_boundary(*at))?;
    Some(
        Diagnostic::error("syntax", "this is not read alike by every parser of Rust")
            .at(Span::of_bytes(text, start..end))
            .help("put a blank between a lifetime and a quote"),
    )
}

/// What each byte is for our own lexer.
pub(super) fn ours(text: &str) -> Vec<Byte> {
    let mut bytes = vec![Byte::Nothing; text.len()];
    for range in lex::tokens(text) {
        let token = &text[range.clone()];
        if !lex::is_comment(token) && !token.chars().all(lex::is_blank) {
            mark(&mut bytes, token, range);
        }
    }
    bytes
}

fn mark(bytes: &mut [Byte], token: &str, range: Range<usize>) {
    let is_text = token.contains('"') || token.matches('\'').count() > 1;
    let byte = if is_text {
        Byte::Text(range.start)
    } else {
        Byte::Code
    };
    bytes[range].fill(byte);
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;

    use super::super::tokens::flatten;
    use super::*;

    fn disagree(text: &str) -> bool {
        let stream: TokenStream = text.parse().unwrap();
        disagreement(text, &flatten(stream)).is_some()
    }

    #[test]
    fn what_is_written_is_read_alike() {
        for text in [
            "fn f<'a>(x: &'a str) -> char { 'a' }",
            "let x = ['\\'', '\"', b'\\'', b'\"' as char, '\\u{e9}', 'é'];",
            "(r\"a\", r#\"b\"c\"#, b\"d\", br\"e\", br##\"f\"#\"##, c\"g\", cr\"h\")",
            "/// text \" here\n//! and ' here\n/** \"quoted\" */ fn f() { /* \" */ } // \"",
            "1.5e-3 + 0xff_u8 - 1..2 + x.0.1 + 1f32",
            "r#mod r#fn 'r#a 'static '_",
            "macro_rules! m { ($a:tt $('l: $b:lifetime)?) => { $a } }",
            "\"a\"suffix 'b'suffix",
            "é == \"ü\" && x",
            "\"line\\\n  continued\"",
        ] {
            assert!(!disagree(text), "{text}");
        }
    }

    #[test]
    fn a_lifetime_before_a_quote_hides_nothing() {
        for text in [
            "m!('r\"\\\" \"); mod x; n!(\"y\"); // \");",
            "m!('br\"\\\" \"); mod x; n!(\"y\"); // \");",
            "m!('a r\"\\\" \"); m!('r\"\\\");",
        ] {
            let Ok(stream) = text.parse::<TokenStream>() else {
                continue;
            };
            let tokens = flatten(stream);
            assert!(
                lex::fault(text).is_some() || disagreement(text, &tokens).is_some(),
                "{text}"
            );
        }
        assert!(disagree("m!('r\"\\\" \"); mod x; n!(\"y\"); // \");"));
    }
}
