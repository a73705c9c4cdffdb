//! Borrows: what is changed while it is read, and what is changed behind a shared reference.

use syn::spanned::Spanned;

use super::advice::{has_label, quoted};
use super::diagnose::Context;
use super::finding::byte_of;
use crate::diagnostic::{Diagnostic, Span};

/// Types that a `Cell` is easier for than a `RefCell`.
const PLAIN: [&str; 16] = [
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32",
    "u64", "u8", "usize",
];

/// `self.count += 1` in a method of an exported resource, whose `&self` the trait asks for.
pub(super) fn shared_self(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let shared = diagnostic
        .spans
        .iter()
        .find(|span| span.label.as_deref() == Some("this is an immutable reference"))?;
    if context.text_at(shared)? != "&self" {
        return None;
    }
    let names = quoted(&diagnostic.message);
    let place = names.first()?.trim_start_matches('*');
    let file = syn::parse_file(&context.snippet.text).ok()?;
    let own = resource_around(context, &file.items, shared.start.line as usize)?;
    let Some(field) = place.strip_prefix("self.") else {
        return Some(format!(
            "a resource's methods take `&self`: keep what changes in `{own}` in fields that are `Cell` or `RefCell`, and let \
             its own methods take `&self` too"
        ));
    };
    let field = field.split(['.', '[']).next()?;
    let ty = field_type(&file.items, &own, field)?;
    let plain = PLAIN.contains(&ty.as_str());
    Some(if plain {
        format!(
            "a resource's methods take `&self`: make the field `{field}: std::cell::Cell<{ty}>`, made with `Cell::new(…)`, read \
             with `self.{field}.get()`, changed with `self.{field}.set(self.{field}.get() + …)`"
        )
    } else {
        format!(
            "a resource's methods take `&self`: make the field `{field}: std::cell::RefCell<{ty}>`, made with \
             `RefCell::new(…)`, read with `self.{field}.borrow()`, changed with `self.{field}.borrow_mut()`"
        )
    })
}

/// The type whose `impl` of a resource's trait a line lies in.
fn resource_around(context: &Context<'_>, items: &[syn::Item], line: usize) -> Option<String> {
    items.iter().find_map(|item| match item {
        syn::Item::Impl(item) => {
            let name = item.trait_.as_ref()?.1.segments.last()?.ident.to_string();
            let known = (context.scope.exports.iter())
                .flat_map(|export| &export.resources)
                .any(|resource| super::suggest::last_segment(&resource.trait_name) == name);
            let span = item.span();
            let syn::Type::Path(own) = &*item.self_ty else {
                return None;
            };
            (known && span.start().line <= line && line <= span.end().line)
                .then(|| own.path.segments.last().map(|last| last.ident.to_string()))?
        }
        syn::Item::Mod(module) => resource_around(context, &module.content.as_ref()?.1, line),
        _ => None,
    })
}

/// The type of a field as the snippet writes it.
fn field_type(items: &[syn::Item], own: &str, field: &str) -> Option<String> {
    items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == own => {
            let known = item
                .fields
                .iter()
                .find(|known| known.ident.as_ref().is_some_and(|ident| ident == field))?;
            let tokens = quote::ToTokens::to_token_stream(&known.ty).to_string();
            // Tokens are printed with blanks between them.
            Some(
                tokens
                    .replace(" < ", "<")
                    .replace(" >", ">")
                    .replace(" ,", ",")
                    .replace(" :: ", "::")
                    .replace("& ", "&"),
            )
        }
        syn::Item::Mod(module) => field_type(&module.content.as_ref()?.1, own, field),
        _ => None,
    })
}

/// Two borrows of one thing, of which one changes it.
pub(super) fn twice(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    if has_label(diagnostic, "borrow later used by call") {
        let inner = context.primary_text(diagnostic)?;
        return is_path(inner).then(|| {
            format!(
                "`{inner}` is used again within the call: take what is needed of it before, `let n = {inner}.len();` for one"
            )
        });
    }
    let at =
        |words: &str| (diagnostic.spans.iter()).find(|span| span.label.as_deref() == Some(words));
    if let Some(first) = at("first mutable borrow occurs here") {
        let name = context.text_at(first)?;
        let looked_up = behind(context, first).is_some_and(|rest| rest.starts_with(".get_mut("));
        return (looked_up && is_path(name)).then(|| {
            format!("a map looks up and makes in one step: `{name}.entry(key).or_insert_with(…)`")
        });
    }
    let read = at("immutable borrow occurs here")?;
    let name = context.text_at(read)?;
    let rest = behind(context, read)?;
    // The borrow may be of the whole call, or of what it is called on.
    let get = [
        ".get(",
        ".first()",
        ".last()",
        ".peek()",
        ".iter().max",
        ".iter().min",
    ]
    .iter()
    .any(|call| rest.starts_with(call) || name.contains(call));
    get.then(|| {
        "what was read is still lent while this changes it: take a copy, with `.cloned()` or `.copied()` behind the reading"
            .to_owned()
    })
}

/// The text behind a place.
fn behind<'a>(context: &Context<'a>, span: &Span) -> Option<&'a str> {
    let text = context.snippet.text.as_str();
    text.get(byte_of(text, span.end)?..)
}

fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}
