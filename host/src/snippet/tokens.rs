//! The tokens of a text in a flat list, with their places in it.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or keyword without `r#`.
    Word(String),
    /// One character of punctuation, also the quote of a lifetime.
    Punct(char),
    /// A literal.
    Literal,
    /// An opening delimiter.
    Open(Delimiter),
    /// A closing delimiter.
    Close(Delimiter),
}

/// A token with its bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
    /// An identifier written with `r#`.
    pub(super) raw: bool,
}

impl Token {
    /// Whether this is the given identifier or keyword, raw or not.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.kind, Kind::Word(own) if own == word)
    }

    /// Whether this is the given punctuation character.
    pub(super) fn is_punct(&self, punct: char) -> bool {
        self.kind == Kind::Punct(punct)
    }

    /// The identifier or keyword.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// Flattens a stream without recursion: its depth is not known to be small yet.
pub(super) fn flatten(stream: TokenStream) -> Vec<Token> {
    let mut flat = Vec::new();
    let mut stack = vec![(stream.into_iter(), None)];
    while let Some((stream, close)) = stack.last_mut() {
        match stream.next() {
            Some(TokenTree::Group(group)) => {
                let delimiter = group.delimiter();
                flat.push(Token {
                    kind: Kind::Open(delimiter),
                    range: group.span_open().byte_range(),
                    raw: false,
                });
                let end = Token {
                    kind: Kind::Close(delimiter),
                    range: group.span_close().byte_range(),
                    raw: false,
                };
                stack.push((group.stream().into_iter(), Some(end)));
            }
            Some(TokenTree::Ident(ident)) => {
                let text = ident.to_string();
                flat.push(Token {
                    kind: Kind::Word(text.strip_prefix("r#").unwrap_or(&text).to_owned()),
                    range: ident.span().byte_range(),
                    raw: text.starts_with("r#"),
                });
            }
            Some(TokenTree::Punct(punct)) => flat.push(Token {
                kind: Kind::Punct(punct.as_char()),
                range: punct.span().byte_range(),
                raw: false,
            }),
            Some(TokenTree::Literal(literal)) => flat.push(Token {
                kind: Kind::Literal,
                range: literal.span().byte_range(),
                raw: false,
            }),
            None => {
                flat.extend(close.take());
                stack.pop();
            }
        }
    }
    flat
}
