//! How deep the text nests, before anything recursive looks at it.
//!
//! rustc and syn recurse over what they parse and end with a signal when the stack does: rustc at 2,000 `{`, 3,000
//! `(`, 4,000 `[`, 20,000 of `!`, `&`, `+`, 8,000 `.clone()`, 800 nested `Box<dyn Fn(` (measured on 1.95). Much nests
//! without any delimiter, so two numbers are counted: the depth of delimiters and of generics, bounded by the limit
//! `nesting`, and the length of chains (operators, method calls, `else if`, closures), bounded by [`MOST_CHAINED`].

use proc_macro2::Delimiter;

use crate::diagnostic::{Diagnostic, Span};

use super::tokens::{Kind, Token};

/// Longest chain of operators and the like, added up over the groups that a token stands in. Code written by hand
/// stays below 100; a string built of some hundred `+` is still accepted.
pub(super) const MOST_CHAINED: usize = 1000;

/// What nests deeper than the compiler can take; `most` is the limit `nesting`.
pub(super) fn too_deep(text: &str, tokens: &[Token], most: u64) -> Option<Diagnostic> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    // For each open group: chained tokens of the group's current statement or element, and of all groups around it.
    let mut groups = vec![Level::default()];
    for (index, token) in tokens.iter().enumerate() {
        let level = groups.last_mut()?;
        match &token.kind {
            Kind::Open(_) => {
                let around = level.around + level.chained;
                if groups.len() > most {
                    return Some(
                        limit(text, token, format!("the code nests deeper than {most} levels"))
                            .help("the limit is `nesting`: put inner parts into functions or `let` bindings of their own"),
                    );
                }
                groups.push(Level {
                    around,
                    ..Level::default()
                });
            }
            Kind::Close(delimiter) => {
                groups.pop();
                let level = groups.last_mut()?;
                if *delimiter == Delimiter::Brace && starts_anew(tokens.get(index + 1)) {
                    level.chained = 0;
                    level.angles.clear();
                }
            }
            Kind::Punct(';') => {
                level.chained = 0;
                level.angles.clear();
            }
            // Generics go on behind a comma; a comparison counted as one of them costs a list of comparisons one each.
            Kind::Punct(',') => level.chained = level.angles.len(),
            // `=>` starts the expression of an arm; `->` is no closing angle.
            Kind::Punct('>') if index > 0 && tokens[index - 1].is_punct('=') => level.chained = 0,
            Kind::Punct('>') if index > 0 && tokens[index - 1].is_punct('-') => {}
            Kind::Punct('<') => {
                level.chained += 1;
                level.angles.push(0);
            }
            Kind::Punct('>') => {
                level.chained += 1;
                if let Some(inner) = level.angles.pop() {
                    let height = inner + 1;
                    if height > most {
                        return Some(
                            limit(text, token, format!("generic arguments nest deeper than {most} levels"))
                                .help("the limit is `nesting`: use a struct or a `type` for the inner types"),
                        );
                    }
                    if let Some(outer) = level.angles.last_mut() {
                        *outer = height.max(*outer);
                    }
                }
            }
            Kind::Punct(punct) if !matches!(punct, ':' | '#' | '$' | '\'') => level.chained += 1,
            Kind::Word(word) if chains(word) => level.chained += 1,
            _ => {}
        }
        let level = groups.last()?;
        if level.around + level.chained > MOST_CHAINED {
            return Some(
                limit(
                    text,
                    token,
                    format!("one expression chains more than {MOST_CHAINED} operators or calls"),
                )
                .help("the compiler cannot take it: use a loop, an array, or several `let` statements"),
            );
        }
    }
    None
}

#[derive(Default)]
struct Level {
    /// Chained tokens around this group.
    around: usize,
    /// Chained tokens of the statement, element or arm that is being read.
    chained: usize,
    /// For each `<` without its `>`, how deep the closed ones inside it nest.
    angles: Vec<usize>,
}

fn limit(text: &str, token: &Token, message: String) -> Diagnostic {
    Diagnostic::error("compiler-limit", message)
        .at(Span::of_bytes(text, token.range.clone()).labelled("too deep here"))
}

/// Whether what stands behind a `}` starts a new statement or item: not `else`, `.`, `?` or an operator.
fn starts_anew(next: Option<&Token>) -> bool {
    match next.map(|token| &token.kind) {
        Some(Kind::Word(word)) => word != "else" && word != "as",
        Some(Kind::Punct(punct)) => matches!(punct, '#' | '\''),
        _ => true,
    }
}

/// Words that can stand before an expression, a type or a pattern of their own kind without a delimiter.
fn chains(word: &str) -> bool {
    matches!(
        word,
        "as" | "async"
            | "await"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "dyn"
            | "else"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "static"
            | "unsafe"
            | "while"
            | "yield"
    )
}
