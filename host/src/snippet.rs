//! Snippet: finds the code in an answer and screens its tokens. Touches nothing.
//!
//! An answer is Markdown or plain Rust. The code in it is found ([`extract`]), must be balanced Rust tokens by itself,
//! so that no brace can close the wrapper, and passes the token screen before syn or rustc see it: both recurse over
//! their input and end with a signal on input that nests too deep. What is wrong is a diagnostic, never silence.

mod agreement;
mod choose;
mod escapes;
mod fences;
mod lex;
mod modules;
mod nesting;
mod outline;
mod reading;
mod screen;
mod shape;
mod tokens;

use std::collections::BTreeMap;

use crate::budget::CompileLimits;
use crate::diagnostic::{Diagnostic, Position, Rejection, Span};
use crate::scope::Scope;

use reading::Reading;

/// Code that may be given to the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The extracted text; all positions in diagnostics are positions in it.
    pub text: String,
    /// Whole items, or the body of the one exported function.
    pub form: Form,
    /// `snippet.rs` as the compiler gets it: a first line of ours, the text, and the glue behind it.
    pub module: String,
    /// Lines of `module` before the first line of `text`.
    pub lines_before: u32,
    /// What `module` has between characters of `text`, in the order of the text.
    pub insertions: Vec<Insertion>,
    /// For each exported resource's trait, the path of the type that implements it (`GuestRoman` → `It` or `inner::It`).
    pub resources: BTreeMap<String, String>,
    /// `blake3:…` of `text`.
    pub hash: String,
}

impl Snippet {
    /// Where a place of `module` is in `text`; `None` before its first line.
    pub fn position(&self, line: u32, column: u32) -> Option<Position> {
        let line = line
            .checked_sub(self.lines_before)
            .filter(|line| *line > 0)?;
        // A line can have more than one: each is further to the right by those before it.
        let mut column = column;
        for insertion in self.insertions.iter().filter(|own| own.at.line == line) {
            if column > insertion.at.column {
                let back = column.saturating_sub(insertion.characters);
                column = back.max(insertion.at.column);
            }
        }
        Some(Position { line, column })
    }
}

/// Text of ours within a line of the snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// The character of the snippet that it stands before.
    pub at: Position,
    /// How many characters it has.
    pub characters: u32,
}

/// What the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Items of a module.
    Items,
    /// The body of the one exported function.
    Body,
}

/// Where a text that the compiler has accepted has the keyword `unsafe`, but for the types of function pointers.
///
/// The lint that forbids it overlooks a few places (attributes of trait methods, of modules, of constants). The word must
/// stand in the text to have any effect, in whatever pieces a macro takes it.
pub(crate) fn unsafe_word(text: &str) -> Option<Span> {
    if !text.contains("unsafe") {
        return None;
    }
    let found = on_own_stack(|| {
        let stream = text.parse().ok();
        Ok(stream.and_then(|stream| screen::unsafe_word(text, &tokens::flatten(stream))))
    });
    found.ok().flatten()
}

/// How many inline modules of `text` the byte at `at` lies in: so many `super::` lead to its top.
pub(crate) fn modules_around(text: &str, at: usize) -> usize {
    let code = lex::tokens(text)
        .take_while(|range| range.start < at)
        .map(|range| &text[range])
        .filter(|token| !token.trim().is_empty() && !lex::is_comment(token));
    // For each open brace, whether it is that of a module.
    let mut open = Vec::new();
    let mut before = ["", ""];
    for token in code {
        match token {
            "{" => open.push(before[0] == "mod"),
            "}" => {
                open.pop();
            }
            _ => {}
        }
        before = [before[1], token];
    }
    open.into_iter().filter(|module| *module).count()
}

/// Stack of the thread that parses, in bytes. The screens bound what nests to some thousand levels; syn needs up to a
/// few tens of KiB for each in an unoptimised build. The pages are only used when they are needed.
const PARSER_STACK: usize = 256 * 1024 * 1024;

/// Finds the code in a model's answer and screens it.
///
/// # Errors
///
/// The diagnostics for the model: no code, not Rust, a token that is not allowed, no function of the name asked for.
pub fn extract(answer: &str, scope: &Scope, limits: &CompileLimits) -> Result<Snippet, Rejection> {
    on_own_stack(|| {
        let answer = normalise(answer);
        let found = choose::find(&answer, scope, limits)
            .map_err(|diagnostic| Rejection::snippet(vec![diagnostic], ""))?;
        let reading = Reading::of(found.text, limits);
        shape::build(reading, None, found.closed, scope)
    })
}

/// The code that [`extract`] judges, when there is any: what its diagnostics speak of, also when it is rejected.
pub fn find(answer: &str, scope: &Scope, limits: &CompileLimits) -> Option<String> {
    on_own_stack(|| {
        let answer = normalise(answer);
        Ok(choose::find(&answer, scope, limits)
            .ok()
            .map(|found| found.text))
    })
    .ok()
    .flatten()
}

/// Screens a text that someone gives as code (`--snippet FILE`): the whole text is the code, even an empty one, unless
/// it holds a fence and is no Rust as a whole; then it is read as an answer.
///
/// # Errors
///
/// As [`extract`].
pub fn given(text: &str, scope: &Scope, limits: &CompileLimits) -> Result<Snippet, Rejection> {
    let normal = normalise(text);
    if is_answer(&normal, limits) {
        return extract(text, scope, limits);
    }
    on_own_stack(|| shape::build(Reading::of(normal, limits), None, true, scope))
}

/// The code that [`given`] judges, when there is any: what its diagnostics speak of, also when it is rejected.
pub fn find_given(text: &str, scope: &Scope, limits: &CompileLimits) -> Option<String> {
    let normal = normalise(text);
    if is_answer(&normal, limits) {
        return find(text, scope, limits);
    }
    Some(normal)
}

/// Whether a text that was given as code is an answer with code in it.
fn is_answer(normal: &str, limits: &CompileLimits) -> bool {
    fences::has_fence(normal)
        && !on_own_stack(|| Ok(Reading::of(normal.to_owned(), limits).is_rust())).unwrap_or(false)
}

/// Screens a text whose form is known: a snippet that was repaired.
///
/// # Errors
///
/// As [`extract`]: a repair is judged like any other text.
pub fn from_code(
    text: &str,
    form: Form,
    scope: &Scope,
    limits: &CompileLimits,
) -> Result<Snippet, Rejection> {
    on_own_stack(|| {
        let reading = Reading::of(normalise(text), limits);
        shape::build(reading, Some(form), true, scope)
    })
}

/// Rust source as rustc reads it: no byte order mark, lines that end in `\n`.
fn normalise(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n")
}

/// Runs a parser on a thread of its own: with a stack that the screens' caps fit in, and with a source map that is
/// freed with the thread (proc-macro2 keeps every text of a thread). A panic of a parser is a rejection.
fn on_own_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Rejection> + Send,
) -> Result<T, Rejection> {
    let failed = |message: &str| {
        Rejection::snippet(
            vec![Diagnostic::error("compiler-limit", message).help("write it in a simpler way")],
            "",
        )
    };
    std::thread::scope(|threads| {
        let thread = std::thread::Builder::new()
            .name("snippet".to_owned())
            .stack_size(PARSER_STACK)
            .spawn_scoped(threads, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(failed("the code could not be parsed")),
            Err(_) => Err(failed("no thread could be started to parse the code")),
        }
    })
}

#[cfg(test)]
pub(crate) mod test_scope;
#[cfg(test)]
mod tests;
