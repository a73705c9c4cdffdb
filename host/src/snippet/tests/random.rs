//! The lexer on random sequences of what it has to tell apart.

use proc_macro2::TokenStream;
use proptest::prelude::*;
use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind};

use super::super::agreement::{self, Byte};
use super::super::lex;
use super::super::tokens::flatten;

/// Texts of parts that open, close, quote and hide each other.
fn soup() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "'",
        "'a",
        "'a'",
        "'\\''",
        "b'x'",
        "\"a\\\"b\"",
        "r\"",
        "r#\"",
        "\"#",
        "r##\"x\"##",
        "r",
        "br",
        "b",
        "b'",
        "b\"",
        "cr#\"",
        "'r#",
        "'\\",
        "'\"'",
        "1r\"",
        "1e",
        "#\"",
        "\u{300}",
        "\u{b2}",
        "\u{85}",
        "\r",
        "\\\n",
        "0b",
        "_",
        "..",
        "br#\"y\"#",
        "c\"z\"",
        "//",
        "/*",
        "*/",
        "///",
        "/**",
        "//!",
        "/*!",
        "\n",
        " ",
        "x",
        "r#mod",
        "mod",
        "#",
        "!",
        "\\",
        "1",
        "1.5e3",
        "0xff",
        "é",
        "\u{202e}",
        "$",
        ";",
    ]);
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whoever is asked first must not refuse what the other one takes, and places lie in the text.
    #[test]
    fn the_scanner_and_the_lexer_agree(text in soup()) {
        let fault = lex::fault(&text);
        if let Some(fault) = &fault {
            let diagnostic = fault.diagnostic(&text);
            prop_assert!(!diagnostic.spans.is_empty());
            for span in &diagnostic.spans {
                prop_assert!(span.start <= span.end);
                prop_assert!(span.end.line as usize <= text.split('\n').count());
            }
        }
        if let Ok(stream) = text.parse::<TokenStream>() {
            let tokens = flatten(stream);
            let alike = agreement::disagreement(&text, &tokens).is_none();
            prop_assert!(fault.is_none() || !alike, "{:?}", fault);
            let mut start = 0;
            for token in tokens {
                prop_assert!(text.get(token.range.clone()).is_some(), "{:?}", token);
                // A doc comment stands for several tokens, which overlap.
                prop_assert!(token.range.start >= start, "{:?}", token);
                start = token.range.start;
            }
        }
        // Asked of texts in any state.
        let _ = lex::ends_inside_literal(&text);
    }

    /// What the screen has looked at is what rustc compiles: every byte is code, text or nothing for both.
    #[test]
    fn rustc_reads_what_was_screened(text in soup()) {
        let accepted = lex::fault(&text).is_none()
            && text.parse::<TokenStream>().is_ok_and(|stream| {
                agreement::disagreement(&text, &flatten(stream)).is_none()
            });
        if accepted {
            prop_assert_eq!(rustc(&text), agreement::ours(&text));
        }
    }
}

/// What each byte is for rustc's own lexer.
fn rustc(text: &str) -> Vec<Byte> {
    let mut bytes = vec![Byte::Nothing; text.len()];
    let mut start = 0;
    for token in ra_ap_rustc_lexer::tokenize(text, FrontmatterAllowed::No) {
        let range = start..start + token.len as usize;
        start = range.end;
        let byte = match token.kind {
            TokenKind::LineComment { .. }
            | TokenKind::BlockComment { .. }
            | TokenKind::Whitespace => {
                continue;
            }
            TokenKind::Literal {
                kind: LiteralKind::Int { .. } | LiteralKind::Float { .. },
                ..
            } => Byte::Code,
            TokenKind::Literal { .. } => Byte::Text(range.start),
            _ => Byte::Code,
        };
        bytes[range].fill(byte);
    }
    bytes
}
