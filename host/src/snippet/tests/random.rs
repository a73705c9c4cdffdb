//! The lexer on random sequences of what it has to tell apart.

use proc_macro2::TokenStream;
use proptest::prelude::*;

use super::super::tokens::flatten;
use super::super::{agreement, lex};

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
}
