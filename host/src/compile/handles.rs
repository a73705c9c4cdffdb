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
