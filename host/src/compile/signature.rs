//! Signatures: an error in the generated code around a snippet means that the snippet does not have what the hole asks
//! for. It is told in words about the snippet.

use std::collections::HashSet;

use proc_macro2::TokenTree;
use syn::spanned::Spanned;

use super::finding::Finding;
use super::message::{Message, MessageSpan};
use crate::diagnostic::{Position, Span};
use crate::scope::{Scope, ScopeExport, ScopeFunction};
use crate::snippet::{Form, Snippet};

/// One finding for each exported function or resource that the messages about the glue can mean. Where they are `alone`,
/// with nothing said of the text itself, there is at least one.
pub(super) fn findings(
    scope: &Scope,
    snippet: &Snippet,
    messages: &[&Message],
    alone: bool,
    place: impl Fn(&MessageSpan) -> Option<Span>,
) -> Vec<Finding> {
    if messages.is_empty() {
        return Vec::new();
    }
    let items = match syn::parse_file(&snippet.text) {
        Ok(file) if snippet.form == Form::Items => file.items,
        _ => Vec::new(),
    };
    let mut findings = missing(scope, &items, messages);
    for message in messages {
        let mut places = Vec::new();
        collect_places(message, &place, &mut places);
        if let Some(finding) = wrong(scope, &items, message, &places)
            && !findings
                .iter()
                .any(|known: &Finding| known.diagnostic.message == finding.diagnostic.message)
        {
            findings.push(finding);
        }
    }
    if findings.is_empty() && alone {
        findings.push(unclear(scope, &items, messages));
    }
    findings
}

/// Functions and resources that the hole exports and the snippet has not.
fn missing(scope: &Scope, items: &[syn::Item], messages: &[&Message]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // A macro of the snippet may define anything: nothing can be said to be missing.
    if items.iter().any(is_call) {
        return findings;
    }
    for export in &scope.exports {
        for function in &export.functions {
            // It may also come from a `pub use`: then no message says that it can't be found.
            let named = format!("`{}`", function.rust);
            let missed = messages
                .iter()
                .any(|message| message.message.contains(&named));
            if missed && find(items, export, &function.rust).is_none() {
                let place = match &export.module {
                    Some(module) => format!(" in `pub mod {module}`"),
                    None => String::new(),
                };
                findings.push(Finding::ours(
                    "signature",
                    format!(
                        "the snippet has no function `{}`{place}; write `pub {} {{ … }}`",
                        function.rust, function.signature
                    ),
                    None,
                ));
            }
        }
    }
    findings
}

/// Whether an item is a call of a macro.
fn is_call(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Macro(call) if call.ident.is_none())
}

/// The function whose signature a message is about: one of its places lies in it, or it is named.
fn wrong(
    scope: &Scope,
    items: &[syn::Item],
    message: &Message,
    places: &[Span],
) -> Option<Finding> {
    let exported = || {
        scope.exports.iter().flat_map(|export| {
            export
                .functions
                .iter()
                .map(move |function| (export, function))
        })
    };
    let located = exported().find_map(|(export, function)| {
        let item = find(items, export, &function.rust)?;
        let range = range(item.span());
        let inside = places
            .iter()
            .any(|place| range.start <= place.start && place.start <= range.end);
        inside.then_some((function, item))
    });
    let named = || {
        exported().find_map(|(export, function)| {
            let item = find(items, export, &function.rust)?;
            mentions(message, &format!("`{}`", function.rust)).then_some((function, item))
        })
    };
    // What is wrong with a resource is no fault of the one function.
    let resources = scope
        .exports
        .iter()
        .any(|export| !export.resources.is_empty());
    let only = || match exported().collect::<Vec<_>>().as_slice() {
        _ if resources => None,
        [(export, function)] => Some((*function, find(items, export, &function.rust)?)),
        _ => None,
    };
    // Types that are spelled in another way may still be the same ones, so this is asked last.
    let spelled = || {
        exported().find_map(|(export, function)| {
            let item = find(items, export, &function.rust)?;
            is_spelled_otherwise(item, function).then_some((function, item))
        })
    };
    let (function, item) = located.or_else(named).or_else(only).or_else(spelled)?;
    Some(mismatch(function, item, items, message))
}

/// Whether parameters or result are other words than the ones asked for.
fn is_spelled_otherwise(item: &syn::ItemFn, function: &ScopeFunction) -> bool {
    let Ok(expected) = syn::parse_str::<syn::Signature>(&function.signature) else {
        return false;
    };
    let types = |signature: &syn::Signature| -> Vec<syn::Type> {
        let inputs = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some((*typed.ty).clone()),
            syn::FnArg::Receiver(_) => None,
        });
        let output = match &signature.output {
            syn::ReturnType::Type(_, output) => Some((**output).clone()),
            syn::ReturnType::Default => None,
        };
        inputs.chain(output).collect()
    };
    types(&item.sig) != types(&expected)
}

fn mismatch(
    function: &ScopeFunction,
    item: &syn::ItemFn,
    items: &[syn::Item],
    message: &Message,
) -> Finding {
    let mut span = range(item.sig.span());
    span.label = Some(format!("expected `pub {}`", function.signature));
    let finding = Finding::ours(
        "signature",
        format!(
            "`{}` must have the signature `pub {}`",
            function.rust, function.signature
        ),
        Some(span),
    );
    if item.sig.asyncness.is_some() {
        return finding.with_help("leave out `async`: granted functions block and return");
    }
    let hidden = if is_spelled_otherwise(item, function) {
        None
    } else {
        hidden(item, items)
    };
    let finding = match difference(message, hidden.is_some()) {
        Some(text) => finding.with_help(text),
        None => finding,
    };
    match hidden {
        Some(name) => finding.with_help(format!(
            "`{name}` is here what this code defines or imports, which hides the `{name}` that is meant: remove or rename \
             that, the one of the signature is in scope already"
        )),
        None if !is_spelled_otherwise(item, function) && items.iter().any(takes_all) => finding
            .with_help("a name in the signature means something else here: look at what `use …::*` brings along"),
        None => finding,
    }
}

/// A name of a signature that an item of the snippet gives another meaning; a definition rather than a `use`, which may
/// well name what is meant.
fn hidden(function: &syn::ItemFn, items: &[syn::Item]) -> Option<String> {
    let mut defined = HashSet::new();
    let mut used = HashSet::new();
    for item in items {
        let name = match item {
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Use(item) => {
                names_of_use(&item.tree, &mut used);
                continue;
            }
            _ => continue,
        };
        defined.insert(name.to_string());
    }
    let names = names_of(quote::ToTokens::to_token_stream(&function.sig));
    let first = |known: &HashSet<String>| names.iter().find(|name| known.contains(*name)).cloned();
    first(&defined).or_else(|| first(&used))
}

/// All identifiers of a stream in their order.
fn names_of(stream: proc_macro2::TokenStream) -> Vec<String> {
    let mut names = Vec::new();
    let mut open = vec![stream.into_iter()];
    while let Some(tokens) = open.last_mut() {
        match tokens.next() {
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(TokenTree::Ident(name)) => names.push(name.to_string()),
            Some(_) => {}
            None => drop(open.pop()),
        }
    }
    names
}

fn names_of_use(tree: &syn::UseTree, names: &mut HashSet<String>) {
    match tree {
        syn::UseTree::Path(path) => names_of_use(&path.tree, names),
        syn::UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        syn::UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        syn::UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| names_of_use(tree, names)),
        syn::UseTree::Glob(_) => {}
    }
}

/// Whether an item is a `use` with a star.
fn takes_all(item: &syn::Item) -> bool {
    fn has_star(tree: &syn::UseTree) -> bool {
        match tree {
            syn::UseTree::Path(path) => has_star(&path.tree),
            syn::UseTree::Group(group) => group.items.iter().any(has_star),
            syn::UseTree::Glob(_) => true,
            syn::UseTree::Name(_) | syn::UseTree::Rename(_) => false,
        }
    }
    matches!(item, syn::Item::Use(item) if has_star(&item.tree))
}

/// What differs: "expected `u32`, found `String`" of the result. The glue calls the snippet's function, so of a parameter
/// rustc expects what the snippet has; that is told the other way round. Of two types with one name it says nothing
/// when the difference is known (`told`).
fn difference(message: &Message, told: bool) -> Option<String> {
    let of_parameter = message.message.starts_with("arguments to this")
        || message
            .children
            .iter()
            .any(|child| child.message == "function defined here");
    let mut differences = Vec::new();
    for label in message
        .spans
        .iter()
        .filter_map(|span| span.label.as_deref())
    {
        let types = label.strip_prefix("expected ");
        let Some((expected, found)) = types.and_then(|types| types.split_once(", found ")) else {
            continue;
        };
        let name = |ty| {
            super::suggest::last_segment(ty)
                .trim_matches('`')
                .to_owned()
        };
        if told && name(expected) == name(found) {
            continue;
        }
        differences.push(if of_parameter {
            format!("a parameter must be {found}, here it is {expected}")
        } else {
            format!("expected {expected}, found {found}")
        });
        if !of_parameter {
            break;
        }
    }
    if differences.is_empty() {
        return None;
    }
    Some(format!("mismatched types: {}", differences.join("; ")))
}

fn unclear(scope: &Scope, items: &[syn::Item], messages: &[&Message]) -> Finding {
    // What writes the items, since none of them stands in the text.
    let call = items.iter().find(|item| is_call(item));
    let mut finding = Finding::ours(
        "signature",
        "the snippet does not have what the hole exports",
        call.map(|call| range(call.span())),
    );
    for export in &scope.exports {
        for function in &export.functions {
            finding = finding.with_help(format!("write `pub {} {{ … }}`", function.signature));
        }
        for resource in &export.resources {
            finding = finding.with_help(format!(
                "write a struct and `impl {} for` it",
                resource.trait_name
            ));
        }
    }
    if let Some(message) = messages.first() {
        finding = finding.with_help(message.message.clone());
    }
    finding
}

/// The function that an export names: at the top, or in the module of its interface.
fn find<'a>(items: &'a [syn::Item], export: &ScopeExport, name: &str) -> Option<&'a syn::ItemFn> {
    match &export.module {
        Some(module) => function(within(items, module)?, name),
        None => function(items, name).or_else(|| {
            let module = export.own_module()?;
            function(within(items, &module)?, name)
        }),
    }
}

/// The items of a module.
fn within<'a>(items: &'a [syn::Item], module: &str) -> Option<&'a [syn::Item]> {
    items.iter().find_map(|item| match item {
        syn::Item::Mod(inner) if inner.ident == module => {
            inner.content.as_ref().map(|(_, items)| items.as_slice())
        }
        _ => None,
    })
}

fn function<'a>(items: &'a [syn::Item], name: &str) -> Option<&'a syn::ItemFn> {
    items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

fn collect_places(
    message: &Message,
    place: &impl Fn(&MessageSpan) -> Option<Span>,
    places: &mut Vec<Span>,
) {
    places.extend(message.spans.iter().filter_map(place));
    for child in &message.children {
        collect_places(child, place, places);
    }
}

fn mentions(message: &Message, words: &str) -> bool {
    message.message.contains(words) || message.children.iter().any(|child| mentions(child, words))
}

/// syn counts columns from 0.
fn range(span: proc_macro2::Span) -> Span {
    let position = |at: proc_macro2::LineColumn| Position {
        line: at.line as u32,
        column: at.column as u32 + 1,
    };
    Span {
        start: position(span.start()),
        end: position(span.end()),
        label: None,
        primary: true,
    }
}
