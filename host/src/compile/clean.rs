//! Clean: takes out of a diagnostic what only the host can see, folders of this machine and paths of generated modules.

use super::diagnose::Context;
use super::finding::byte_of;
use crate::diagnostic::Diagnostic;
use crate::layer::{self, Layer};
use crate::snippet::{self, Form};

/// Where names of the snippet's scope and its own items stand in the generated crate. rustc writes them out where it does
/// not shorten paths; in the snippet they are written bare.
pub(super) const GLUE_PATHS: [&str; 5] = [
    "__lacuna_bindings::scope::",
    "scope::",
    "crate::snippet::",
    "hole::snippet::",
    "snippet::",
];

/// Takes out what names folders of this machine. (`diagnostic::finish` escapes control characters.)
pub(super) fn clean(context: &Context<'_>, diagnostic: &mut Diagnostic) {
    if !layer::stands(Layer::Spans) {
        return;
    }
    let glue = glue_paths(context);
    let up = up_to_top(context, diagnostic);
    let own_word = context.snippet.text.contains("snippet");
    let clean = |text: &mut String| {
        if context
            .roots
            .iter()
            .any(|root| text.contains(root.as_str()))
        {
            *text = "(left out: it names files of the host)".to_owned();
        }
        *text = without_glue(&text.replace(IMPORT_OF_TOP, &format!("use {up}")), &glue);
        if !own_word {
            *text = text
                .replace("module `crate::snippet`", "this code")
                .replace("`crate::snippet`", "this code")
                .replace("in `snippet`", "in this code");
        }
    };
    clean(&mut diagnostic.message);
    diagnostic.help.iter_mut().for_each(clean);
    for span in &mut diagnostic.spans {
        span.label.iter_mut().for_each(clean);
    }
}

/// How the compiler's advice starts to import an item of the snippet's top.
const IMPORT_OF_TOP: &str = "use crate::snippet::";

/// The path from the primary place to the top of the snippet: `super::` for each module around it.
pub(super) fn up_to_top(context: &Context<'_>, diagnostic: &Diagnostic) -> String {
    let text = &context.snippet.text;
    let primary = diagnostic.spans.iter().find(|span| span.primary);
    let at = primary.and_then(|span| byte_of(text, span.start));
    "super::".repeat(at.map_or(0, |at| snippet::modules_around(text, at)))
}

/// What stands before the snippet's names in the compiler's texts and not in the snippet. A path that the snippet itself
/// writes is one of its own.
fn glue_paths(context: &Context<'_>) -> Vec<String> {
    let header = match context.snippet.form {
        // The items of a body are those of the function around it.
        Form::Body => context
            .scope
            .exports
            .iter()
            .flat_map(|export| &export.functions)
            .map(|function| format!("{}::", function.rust))
            .next(),
        Form::Items => None,
    };
    let own = |path: &String| !context.snippet.text.contains(path.as_str());
    GLUE_PATHS
        .iter()
        .map(|path| (*path).to_owned())
        .chain(header)
        .filter(own)
        .collect()
}

/// A text without the paths of generated modules and without places in the file around the snippet.
fn without_glue(text: &str, glue: &[String]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let within_name = kept.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let found = glue
            .iter()
            .find_map(|path| rest.strip_prefix(path.as_str()));
        if let (false, Some(behind)) = (within_name, found) {
            rest = behind;
        } else if let Some((_, behind)) = rest
            .strip_prefix("@snippet.rs:")
            .and_then(|place| place.split_once('}'))
        {
            // `{closure@snippet.rs:3:1: 3:9}`: the same closure is pointed at in the picture.
            kept.push('}');
            rest = behind;
        } else {
            kept.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    kept
}
