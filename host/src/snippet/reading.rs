//! A text as far as it can be read: tokens, and what it defines.

use proc_macro2::TokenStream;

use crate::budget::CompileLimits;
use crate::diagnostic::{Diagnostic, Span};

use super::outline::{Outline, outline};
use super::tokens::{Token, flatten};
use super::{agreement, escapes, lex, nesting, screen};

/// A text and what the parsers made of it.
pub(super) struct Reading {
    pub(super) text: String,
    /// Empty when the text is not a sequence of tokens.
    pub(super) tokens: Vec<Token>,
    /// What it defines, or why nobody may try to parse it.
    pub(super) outline: Result<Outline, Problem>,
}

/// Why a text is not even parsed.
pub(super) struct Problem {
    pub(super) diagnostic: Diagnostic,
    /// Whether the text just ends too early.
    pub(super) cut_off: bool,
}

/// Deepest nesting whatever the limit `nesting` says: rustc crashes at about a thousand, and the parser has a stack too.
const MOST_NESTING: u64 = 512;

/// What no parser may be given: each needs time or stack out of proportion to its length.
fn too_much(text: &str, tokens: &[Token], limits: &CompileLimits) -> Option<Diagnostic> {
    nesting::too_deep(text, tokens, limits.nesting.min(MOST_NESTING))
        .or_else(|| screen::long_number(text, tokens))
}

impl Reading {
    /// Reads a text; never fails, whatever it is.
    pub(super) fn of(text: String, limits: &CompileLimits) -> Self {
        let (tokens, outline) = match tokens(&text, limits) {
            Ok((stream, tokens)) => match too_much(&text, &tokens, limits) {
                Some(diagnostic) => (tokens, Err(Problem::new(diagnostic))),
                None => {
                    let outline = outline(&text, &stream);
                    (tokens, Ok(outline))
                }
            },
            Err(problem) => (Vec::new(), Err(problem)),
        };
        Self {
            text,
            tokens,
            outline,
        }
    }

    /// Whether it parses, as items or as a body.
    pub(super) fn is_rust(&self) -> bool {
        self.outline
            .as_ref()
            .is_ok_and(|outline| outline.items || outline.body)
    }

    /// Whether the tokens hold `fn NAME`, wherever it stands.
    pub(super) fn has_function(&self, name: &str) -> bool {
        let mut pairs = self.tokens.windows(2);
        pairs.any(|pair| pair[0].is_word("fn") && pair[1].is_word(name))
    }

    /// Whether the text holds `fn NAME`, in whatever state it is.
    pub(super) fn mentions_function(&self, name: &str) -> bool {
        self.text.match_indices(name).any(|(at, _)| {
            let before = self.text[..at].trim_end();
            let after = self.text[at + name.len()..].trim_start();
            before.ends_with("fn") && before.len() < at && after.starts_with(['(', '<'])
        })
    }
}

impl Problem {
    fn new(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic,
            cut_off: false,
        }
    }
}

fn tokens(text: &str, limits: &CompileLimits) -> Result<(TokenStream, Vec<Token>), Problem> {
    if text.len() as u64 > limits.snippet {
        let message = format!(
            "the code has {} bytes, the limit `snippet` is {}",
            text.len(),
            limits.snippet
        );
        return Err(Problem::new(
            Diagnostic::error("compiler-limit", message)
                .help("write less code: compute tables instead of listing them"),
        ));
    }
    if let Some(fault) = lex::fault(text) {
        return Err(Problem {
            diagnostic: fault.diagnostic(text),
            cut_off: fault.cut_off,
        });
    }
    match text.parse::<TokenStream>() {
        Ok(stream) => {
            let tokens = flatten(stream.clone());
            match agreement::disagreement(text, &tokens) {
                Some(diagnostic) => Err(Problem::new(diagnostic)),
                None => Ok((stream, tokens)),
            }
        }
        Err(error) => Err(Problem::new(escapes::fault(text).unwrap_or_else(|| {
            Diagnostic::error("syntax", "this is not a Rust token")
                .at(Span::of_bytes(text, error.span().byte_range()))
        }))),
    }
}
