//! Handles: what rustc cannot know of resources, that a handle stands for something that exists once, and of the structs
//! of the snippet behind the hole's own.

use super::advice::{quoted, types_of};
use super::diagnose::Context;
use super::suggest::last_segment as last;
use crate::diagnostic::Diagnostic;
use crate::scope::{Scope, ScopeResource};

/// The struct of the snippet that implements the resource of a handle.
pub(super) fn behind<'a>(context: &Context<'a>, handle: &str) -> Option<&'a str> {
    let resource = resource_of(context.scope, handle)?;
    let snippet = context.snippet;
    snippet
        .resources
        .get(&resource.trait_name)
        .map(String::as_str)
}

fn resource_of<'a>(scope: &'a Scope, handle: &str) -> Option<&'a ScopeResource> {
    let mut resources = scope.exports.iter().flat_map(|export| &export.resources);
    resources.find(|resource| last(&resource.trait_name).strip_prefix("Guest") == Some(handle))
}

/// A handle that is cloned, compared, hashed or made from nothing.
pub(super) fn without_trait(scope: &Scope, diagnostic: &Diagnostic) -> Option<String> {
    const TRAITS: [&str; 8] = [
        "Clone",
        "Copy",
        "PartialEq",
        "Eq",
        "PartialOrd",
        "Ord",
        "Hash",
        "Default",
    ];
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
    for text in texts {
        let quoted = quoted(text);
        let bound = quoted.iter().find_map(|bound| bound.split_once(": "));
        let (ty, wanted) = match (bound, quoted.as_slice()) {
            (Some(bound), _) => bound,
            (None, [ty, wanted]) if text.contains("does not implement") => (*ty, *wanted),
            (None, ["clone", ty, ..]) => (*ty, "Clone"),
            _ => continue,
        };
        let ty = ty.trim_start_matches('&');
        if !TRAITS.contains(&wanted) || !is_handle(scope, last(ty)) {
            continue;
        }
        return Some(if wanted == "Default" {
            format!("`{ty}` is a handle: only granted functions make one")
        } else {
            format!(
                "`{ty}` is a handle, which can be neither copied nor compared: lend it as `&{ty}`, or share it in an `Rc`"
            )
        });
    }
    None
}

/// A method of a resource that is called on its handle.
pub(super) fn method_behind(context: &Context<'_>, message: &str) -> Option<String> {
    let (method, rest) = message
        .strip_prefix("no method named `")?
        .split_once("` found for struct `")?;
    let handle = last(rest.split('`').next()?);
    let own = behind(context, handle)?;
    let resource = resource_of(context.scope, handle)?;
    resource
        .trait_text
        .contains(&format!("fn {method}("))
        .then(|| {
            format!(
                "`{handle}` is the handle: `.get::<{own}>().{method}(…)` calls it on what is behind"
            )
        })
}

/// A path to the trait of a resource as other bindings have it.
pub(super) fn trait_path(scope: &Scope, message: &str) -> Option<String> {
    let resource = scope
        .exports
        .iter()
        .flat_map(|export| &export.resources)
        .next()?;
    message.contains("`exports`").then(|| {
        format!(
            "it is in scope by its name: `impl {} for …`",
            resource.trait_name
        )
    })
}

/// A handle in a `for`, or with an iterator's method.
pub(super) fn no_iterator(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let message = diagnostic.message.as_str();
    let ty = quoted(message.strip_suffix(" is not an iterator")?)
        .first()?
        .trim_start_matches('&')
        .to_owned();
    let handle = last(&ty);
    if !is_handle(context.scope, handle) {
        return None;
    }
    let of_method = diagnostic.code.as_deref() == Some("E0599");
    let methods = methods_of(context.scope, handle);
    let next = (methods.iter()).find(|method| method.starts_with("next("));
    Some(match next {
        Some(_) if of_method => {
            format!(
                "`{handle}` is a handle: `.into_iter()` before it goes through what its `next` gives"
            )
        }
        Some(next) => format!(
            "`{handle}` is a handle: go through it with `while let`, its method is `{next}`"
        ),
        None => offered(context.scope, &ty)
            .unwrap_or_else(|| format!("`{handle}` is a handle and nothing to go through")),
    })
}

/// A method or an index that a handle has not: the methods that it has.
pub(super) fn offered(scope: &Scope, ty: &str) -> Option<String> {
    let handle = last(ty.trim_start_matches('&'));
    let methods = methods_of(scope, handle);
    (is_handle(scope, handle) && !methods.is_empty()).then(|| {
        format!(
            "`{handle}` is a handle, its methods are `{}`",
            methods.join("`, `")
        )
    })
}

/// The methods of a granted resource, without `fn` and receiver: `next() -> Option<Row>`.
fn methods_of(scope: &Scope, handle: &str) -> Vec<String> {
    let functions = scope.imports.iter().flat_map(|import| &import.functions);
    let of_handle = functions.filter(|function| {
        let owner = function.wit.strip_prefix("[method]");
        let owner = owner.and_then(|path| path.split_once('.'));
        owner.is_some_and(|(owner, _)| {
            owner
                .replace('-', "")
                .eq_ignore_ascii_case(&handle.replace('_', ""))
        })
    });
    of_handle
        .map(|function| {
            let signature = function.signature.trim_start_matches("fn ");
            signature
                .replacen("&self, ", "", 1)
                .replacen("&self", "", 1)
        })
        .collect()
}

fn is_handle(scope: &Scope, name: &str) -> bool {
    let line = format!("pub struct {name}; // a handle");
    let sources = [&scope.surface.types, &scope.surface.imports];
    sources
        .into_iter()
        .flat_map(|source| source.lines())
        .any(|own| own.trim() == line)
}

/// A handle's bindings have a private field, whose type is none of the scope's.
pub(super) fn seal(diagnostic: &mut Diagnostic) {
    for span in &mut diagnostic.spans {
        let handle = span.label.as_deref().and_then(|label| {
            let (expected, _) = types_of(label)
                .or_else(|| Some((label.strip_prefix("expected `")?.split('`').next()?, "")))?;
            expected.strip_prefix("Resource<")?.strip_suffix('>')
        });
        if let Some(handle) = handle {
            let handle = last(handle).to_owned();
            span.label = Some("a handle cannot be made of a number".to_owned());
            diagnostic.message = format!("the fields of `{handle}` are private");
            diagnostic.help.clear();
            diagnostic.help.push(format!(
                "`{handle}` is a handle: only granted functions make one"
            ));
            return;
        }
    }
}
