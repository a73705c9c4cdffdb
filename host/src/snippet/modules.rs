//! Modules: where two exported interfaces make the snippet write `pub mod i { … }`, that module hides the scope's own
//! module of the name, and with it the types of the interface. So they are taken in there, right behind the brace.

use proc_macro2::Delimiter;

use crate::diagnostic::Span;
use crate::scope::Scope;
use crate::toolchain::BINDINGS_CRATE;

use super::Insertion;
use super::tokens::{Kind, Token};

/// The text with the types of each exported interface in its module, and what was put in, in the order of the text.
pub(super) fn with_types(
    text: &str,
    compiled: String,
    tokens: &[Token],
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
    let mut module = String::with_capacity(compiled.len());
    let mut done = 0;
    let mut insertions = Vec::new();
    for (name, at) in bodies(tokens) {
        let wanted = modules
            .iter()
            .find(|module| module.strip_prefix("r#").unwrap_or(module) == name);
        let (Some(wanted), Some(before)) = (wanted, compiled.get(done..at)) else {
            continue;
        };
        let types = format!(
            " #[allow(unused_imports)] pub(super) use ::{BINDINGS_CRATE}::scope::{wanted}::*;"
        );
        module.push_str(before);
        module.push_str(&types);
        done = at;
        insertions.push(Insertion {
            at: Span::of_bytes(text, at..at).start,
            characters: types.chars().count() as u32,
        });
    }
    module.push_str(compiled.get(done..).unwrap_or_default());
    (module, insertions)
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
