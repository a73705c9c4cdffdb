//! Derives: what is to be added to the ones that a type of the snippet has.

use super::diagnose::Context;
use super::finding::Edit;
use crate::snippet::Form;

/// Takes out of `#[derive(Eq, Hash, PartialEq)]`, which is to be added, what the type of the snippet derives already: the
/// compiler lists it again, and with it twice the code does not compile. The message is given back with the shorter list.
pub(super) fn without_known(context: &Context<'_>, message: &str, edits: &mut [Edit]) -> String {
    let derives = |text: &str| -> Option<Vec<String>> {
        let (names, _) = text.split_once("#[derive(")?.1.split_once(")]")?;
        Some(names.split(", ").map(str::to_owned).collect())
    };
    let of_type = message.strip_prefix("consider annotating `");
    let (Some((name, _)), [edit], Form::Items) = (
        of_type.and_then(|rest| rest.split_once('`')),
        edits,
        context.snippet.form,
    ) else {
        return message.to_owned();
    };
    let (Some(all), Ok(file)) = (
        derives(&edit.replacement),
        syn::parse_file(&context.snippet.text),
    ) else {
        return message.to_owned();
    };
    let known = known_derives(&file.items, name);
    let new: Vec<&str> = (all.iter().map(String::as_str))
        .filter(|name| !known.iter().any(|known| known == name))
        .collect();
    if new.is_empty() {
        return message.to_owned();
    }
    let (old, new) = (all.join(", "), new.join(", "));
    edit.replacement = edit.replacement.replace(&old, &new);
    message.replace(&old, &new)
}

/// What the struct or enum `name` derives.
fn known_derives(items: &[syn::Item], name: &str) -> Vec<String> {
    let attributes = items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == name => Some(&item.attrs),
        syn::Item::Enum(item) if item.ident == name => Some(&item.attrs),
        _ => None,
    });
    attributes
        .into_iter()
        .flatten()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .filter_map(|attribute| match &attribute.meta {
            syn::Meta::List(list) => Some(list.tokens.to_string()),
            _ => None,
        })
        .flat_map(|names| {
            names
                .split(',')
                .map(|name| name.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}
