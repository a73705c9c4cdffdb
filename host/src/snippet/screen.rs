//! The token screen: what names cannot close. It looks at tokens, not at syntax, because `macro_rules!` moves tokens.
//!
//! - An out-of-line `mod x;` makes rustc read a file of the machine, and a macro can build one from a `mod` and a `;`
//!   that stand apart. So every `mod NAME` has its braces behind it, and none stands in a macro.
//! - `#[debugger_visualizer(…)]` makes rustc read a file and tell whether it exists.
//! - `extern` reaches crates and symbols; inner attributes reach settings of the whole crate; the glue's names are ours.
//!
//! Files and variables read at compile time (`include_str!`, `env!`) need no screen: those names do not exist.

use std::ops::Range;

use proc_macro2::Delimiter;

use crate::diagnostic::{Diagnostic, Span};

use super::tokens::{Kind, Token};

/// Most places that are collected: one more than a rejection shows, so that it says that some were left out.
const MOST_FOUND: usize = 65;

/// Longest literal that is no text, in bytes. The parser needs time that grows with the square of a number's digits, and
/// no type holds a number of a hundred.
const LONGEST_NUMBER: usize = 1000;

/// A number beyond all measure, if there is one. To be asked before anything parses the tokens. Texts and characters start
/// with a quote or a letter.
pub(super) fn long_number(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let is_long = |token: &&Token| {
        token.kind == Kind::Literal
            && token.range.len() > LONGEST_NUMBER
            && text
                .get(token.range.clone())
                .is_some_and(|source| source.starts_with(|c: char| c.is_ascii_digit()))
    };
    let token = tokens.iter().find(is_long)?;
    Some(
        Diagnostic::error("compiler-limit", "this number is too long")
            .at(Span::of_bytes(text, token.range.clone()).labelled("longer than any type holds"))
            .help(format!(
                "the longest literal is {LONGEST_NUMBER} characters; write long texts in quotes"
            )),
    )
}

/// What the tokens must not hold, each with its place.
pub(super) fn forbidden(text: &str, tokens: &[Token]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = script_head(text, tokens).into_iter().collect();
    let mut macros = MacroDepth::default();
    for (index, token) in tokens.iter().enumerate() {
        if found.len() >= MOST_FOUND {
            break;
        }
        macros.step(tokens, index);
        let next = tokens.get(index + 1);
        match &token.kind {
            Kind::Word(word) => match word.as_str() {
                // `r#mod` and `r#extern` are names, and no macro makes the keywords of them.
                "mod" if !token.raw => found.extend(module(text, tokens, index, macros.inside())),
                "extern" if !token.raw => found.push(external(text, token, next)),
                "debugger_visualizer" => found.push(
                    refuse(text, token.range.clone(), "`debugger_visualizer` is not allowed")
                        .help("remove the attribute: a snippet reads files only through granted functions"),
                ),
                "bindings" if is_path(tokens, index) => found.push(glue_name(text, token, word)),
                "lacuna_rt" => found.push(glue_name(text, token, word)),
                word if word.starts_with("__lacuna") || word.starts_with("__Lacuna") => {
                    found.push(glue_name(text, token, word));
                }
                _ => {}
            },
            Kind::Punct('#')
                if next.is_some_and(|next| next.is_punct('!'))
                    && tokens.get(index + 2).is_some_and(|token| {
                        token.kind == Kind::Open(Delimiter::Bracket)
                    })
                    && inner_doc(text, token).is_none() =>
            {
                let range = token.range.start..tokens[index + 2].range.end;
                found.push(
                    refuse(text, range, "inner attributes (`#![…]`) are not allowed")
                        .help("remove it: features, lints and crate settings are fixed; an outer attribute `#[…]` in front of an item is allowed"),
                );
            }
            _ => {}
        }
    }
    // Not what the screen is for, the compiler refuses it. But who has to write anew should hear of all kinds at once.
    if !found.is_empty()
        && let Some(span) = unsafe_word(text, tokens)
    {
        found.push(
            Diagnostic::error("forbidden-token", "`unsafe` is not allowed")
                .at(span.labelled("not allowed in a snippet"))
                .help("use references, indices and `Option`; state stands in `thread_local!`, an atomic or a `Mutex`"),
        );
    }
    found
}

/// The first keyword `unsafe` that is not part of the type of a function pointer.
pub(super) fn unsafe_word(text: &str, tokens: &[Token]) -> Option<Span> {
    let is_pointer = |index: usize| {
        tokens.get(index + 1).is_some_and(|next| next.is_word("fn"))
            && tokens.get(index + 2).map(|token| &token.kind)
                == Some(&Kind::Open(Delimiter::Parenthesis))
    };
    let index = tokens
        .iter()
        .enumerate()
        .position(|(index, token)| token.is_word("unsafe") && !token.raw && !is_pointer(index))?;
    Some(Span::of_bytes(text, tokens[index].range.clone()))
}

/// Places of the `!` of inner doc comments (`//!`, `/*!`). They would be errors behind the first line of ours, and
/// say nothing to the compiler, so the module that is compiled has a blank there.
pub(super) fn inner_doc_marks(text: &str, tokens: &[Token]) -> Vec<usize> {
    tokens
        .iter()
        .filter_map(|token| inner_doc(text, token))
        .collect()
}

fn inner_doc(text: &str, token: &Token) -> Option<usize> {
    let source = text.get(token.range.clone())?;
    (token.is_punct('#') && (source.starts_with("//!") || source.starts_with("/*!")))
        .then_some(token.range.start + 2)
}

/// What a file that is run as a script starts with: the line of its interpreter, or the manifest of its crates. Both are
/// no Rust within a module, and the compiler's words on them are about something else.
fn script_head(text: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let first = tokens.first()?;
    let line = text.get(first.range.start..)?.lines().next()?.trim_end();
    let range = first.range.start..first.range.start + line.len();
    let is_punct = |at: usize, punct| tokens.get(at).is_some_and(|token| token.is_punct(punct));
    let bracket = tokens.get(2).map(|token| &token.kind) == Some(&Kind::Open(Delimiter::Bracket));
    if is_punct(0, '#') && is_punct(1, '!') && line.starts_with("#!") && !bracket {
        return Some(
            refuse(text, range, "a `#!` line is not allowed")
                .help("remove it: the code is a module of a hole and no script"),
        );
    }
    let infostring = line.trim_start_matches('-');
    (line.starts_with("---") && infostring.trim().chars().all(|c| c.is_ascii_alphabetic()))
        .then(|| {
            refuse(text, range, "front matter (`---`) is not allowed")
                .help("remove it up to the second `---`: there are no crates in a hole but `std`, `core` and `alloc`")
        })
}

fn refuse(text: &str, range: Range<usize>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("forbidden-token", message)
        .at(Span::of_bytes(text, range).labelled("not allowed in a snippet"))
}

fn module(text: &str, tokens: &[Token], index: usize, in_macro: bool) -> Option<Diagnostic> {
    let token = &tokens[index];
    if in_macro {
        return Some(
            refuse(
                text,
                token.range.clone(),
                "`mod` is not allowed inside a macro",
            )
            .help("write the module outside of macros, as `mod name { … }`"),
        );
    }
    let name = tokens.get(index + 1);
    let body = tokens.get(index + 2);
    let named = name.is_some_and(|name| name.word().is_some());
    if named && body.is_some_and(|body| body.kind == Kind::Open(Delimiter::Brace)) {
        return None;
    }
    let end = match (named, body) {
        (true, Some(body)) if body.is_punct(';') => body.range.end,
        _ => token.range.end,
    };
    Some(
        refuse(text, token.range.start..end, "`mod` without a body is not allowed")
            .help("a snippet is one text and has no other files: write `mod name { … }`, or put the items beside the function"),
    )
}

fn external(text: &str, token: &Token, next: Option<&Token>) -> Diagnostic {
    if next.is_some_and(|next| next.is_word("crate")) {
        let end = next.map_or(token.range.end, |next| next.range.end);
        return refuse(
            text,
            token.range.start..end,
            "`extern crate` is not allowed",
        )
        .help("remove it: `std`, `core` and `alloc` are there already, and no other crates exist");
    }
    refuse(text, token.range.clone(), "`extern` is not allowed")
        .help("foreign functions, `unsafe` and `link_section` do not exist here: nothing can be imported but the granted functions, and nothing exported but the functions to write (`run` and the like are exported by the host)")
}

fn glue_name(text: &str, token: &Token, name: &str) -> Diagnostic {
    refuse(
        text,
        token.range.clone(),
        format!("the name `{name}` is reserved"),
    )
    .help("granted functions and types are in scope already, by the names that the task shows")
}

/// Whether the word at `index` stands in a path, so that it names a crate or a module.
fn is_path(tokens: &[Token], index: usize) -> bool {
    let punct = |at: usize, punct| tokens.get(at).is_some_and(|token| token.is_punct(punct));
    let before = index.checked_sub(1);
    (punct(index + 1, ':') && punct(index + 2, ':'))
        || (index >= 2 && punct(index - 1, ':') && punct(index - 2, ':'))
        || before.is_some_and(|before| tokens[before].is_word("use"))
}

/// Whether the walk is inside the arguments of a macro call or the rules of a `macro_rules!`.
#[derive(Default)]
struct MacroDepth {
    /// For each open group, whether it is a macro's or lies in one.
    open: Vec<bool>,
}

impl MacroDepth {
    fn step(&mut self, tokens: &[Token], index: usize) {
        match tokens[index].kind {
            Kind::Open(_) => {
                let inside = self.inside() || is_macro_group(tokens, index);
                self.open.push(inside);
            }
            Kind::Close(_) => {
                self.open.pop();
            }
            _ => {}
        }
    }

    fn inside(&self) -> bool {
        self.open.last().copied().unwrap_or(false)
    }
}

/// A group behind `!` or behind `! name`. `!{ … }` as an expression is taken for one too, which refuses nothing that
/// anyone writes.
fn is_macro_group(tokens: &[Token], open: usize) -> bool {
    let before = |back: usize| open.checked_sub(back).map(|at| &tokens[at]);
    before(1).is_some_and(|token| token.is_punct('!'))
        || (before(1).is_some_and(|token| token.word().is_some())
            && before(2).is_some_and(|token| token.is_punct('!')))
}
