//! Modules: what is put between the characters of a snippet, so that its paths lead where its author takes them to lead.
//!
//! - Where two exported interfaces make the snippet write `pub mod i { … }`, that module hides the scope's own module of
//!   the name, and with it the types of the interface. So they are taken in there, right behind the brace.
//! - To its author the snippet is the whole crate, and `crate::Token` one of its own items or a name of its scope. It is a
//!   module of a crate, so `crate::` goes on with the name of that module.

use proc_macro2::Delimiter;

use crate::diagnostic::Span;
use crate::scope::Scope;
use crate::toolchain::BINDINGS_CRATE;

use super::tokens::{Kind, Token};
use super::{Form, Insertion};

/// The module that the snippet is in the crate around it.
const OWN: &str = "snippet::";

/// The text with what is put into it, and where, in the order of the text.
pub(super) fn with_insertions(
    text: &str,
    compiled: String,
    tokens: &[Token],
    form: Form,
    scope: &Scope,
) -> (String, Vec<Insertion>) {
    let has_types = |module: &str| {
        let inside = format!("{module}::");
        scope
            .names
            .values()
            .flatten()
            .any(|path| path.starts_with(&inside))
    };
    let modules: Vec<&str> = scope
        .exports
        .iter()
        .filter_map(|export| export.module.as_deref())
        .filter(|module| has_types(module))
        .collect();
    let mut put_in: Vec<(usize, String)> = paths_of_crate(text, tokens)
        .map(|at| (at, OWN.to_owned()))
        .collect();
    // The items of a body are no modules at the top.
    let bodies = bodies(tokens).filter(|_| form == Form::Items);
    put_in.extend(bodies.filter_map(|(name, at)| {
        let wanted = modules
            .iter()
            .find(|module| module.strip_prefix("r#").unwrap_or(module) == name)?;
        let types = format!(
            " #[allow(unused_imports)] pub(super) use ::{BINDINGS_CRATE}::scope::{wanted}::*;"
        );
        Some((at, types))
    }));
    put_in.sort();
    let mut module = String::with_capacity(compiled.len());
    let mut done = 0;
    let mut insertions = Vec::new();
    for (at, inserted) in put_in {
        let Some(before) = compiled.get(done..at) else {
            continue;
        };
        module.push_str(before);
        module.push_str(&inserted);
        done = at;
        insertions.push(Insertion {
            at: Span::of_bytes(text, at..at).start,
            characters: inserted.chars().count() as u32,
        });
    }
    module.push_str(compiled.get(done..).unwrap_or_default());
    (module, insertions)
}

/// The offsets behind `crate::`. Not `$crate::`, which macros are called through, and these stand in the root.
fn paths_of_crate(text: &str, tokens: &[Token]) -> impl Iterator<Item = usize> {
    let is = |at: usize, punct| tokens.get(at).is_some_and(|token| token.is_punct(punct));
    let mut depth = 0_usize;
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let word = token.is_word("crate") && !token.raw;
        let path = is(index + 1, ':') && is(index + 2, ':');
        let of_macro = index.checked_sub(1).is_some_and(|before| is(before, '$'));
        let next = tokens.get(index + 3)?;
        let is_macro = next.word().is_some() && is(index + 4, '!');
        // At the top `use crate::*` would take a module into itself; all that is meant stands in the root too.
        let into_itself = depth == 0 && next.is_punct('*');
        let end = tokens.get(index + 2)?.range.end;
        // Of the two colons of `::` in a macro's text the second may stand apart.
        let whole = text.get(token.range.end..end)? == "::";
        let kept = of_macro || is_macro || into_itself || next.is_word("snippet");
        (word && path && whole && !kept).then_some(end)
    })
}

/// Modules at the top with the offset behind their opening brace.
fn bodies(tokens: &[Token]) -> impl Iterator<Item = (&str, usize)> {
    let mut depth = 0_usize;
    tokens.iter().enumerate().filter_map(move |(index, token)| {
        let outer = depth;
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let before = |back: usize| index.checked_sub(back).map(|at| &tokens[at]);
        let opens = outer == 0 && token.kind == Kind::Open(Delimiter::Brace);
        let named = before(1).and_then(Token::word);
        let is_module = before(2).is_some_and(|token| !token.raw && token.is_word("mod"));
        match (opens && is_module, named) {
            (true, Some(name)) => Some((name, token.range.end)),
            _ => None,
        }
    })
}
