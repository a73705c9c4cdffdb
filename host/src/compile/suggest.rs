//! Suggest: an unknown name is answered with what does exist in the scope.

use super::advice::quoted;
use super::ambient::{AMBIENT_MACROS, ambient, modules, no_ambient_authority};
use super::diagnose::Context;
use super::finding::Finding;
use super::granted::{
    elsewhere, granted, granted_as, granted_instead, import_named, module_of_interface,
    of_wit_path, written,
};
use super::{clean, habits, spelling};
use crate::diagnostic::Diagnostic;
use crate::scope::Scope;
use crate::snippet::Snippet;

/// Most paths that are offered for one name.
const MOST_PATHS: usize = 4;

/// Codes of rustc for names that do not resolve.
const UNRESOLVED: [&str; 10] = [
    "E0405", "E0412", "E0422", "E0423", "E0425", "E0432", "E0433", "E0531", "E0574", "E0576",
];

/// Adds advice to one finding: about names, and about what a hole does not have.
pub(super) fn improve(context: &Context<'_>, finding: &mut Finding) {
    let scope = context.scope;
    let diagnostic = &mut finding.diagnostic;
    diagnostic.help.extend(of_resource(scope, diagnostic));
    diagnostic
        .help
        .extend(spelling::foreign_letters(diagnostic));
    if let Some(line) = spelling::of_hyphen(context, diagnostic) {
        diagnostic.help.push(line);
        return;
    }
    let import_line = diagnostic.message.starts_with("unresolved import");
    if import_line {
        let lines = several_imports(scope, &diagnostic.message);
        if !lines.is_empty() {
            diagnostic.help.extend(lines);
            return;
        }
    }
    if let Some(line) = derived_or_attribute(&diagnostic.message) {
        diagnostic.help = vec![line.to_owned()];
        return;
    }
    let unresolved = is_unresolved(diagnostic);
    let unknown_macro = diagnostic.message.starts_with("cannot find macro");
    if !unresolved && !unknown_macro {
        return;
    }
    let quoted = quoted(&finding.diagnostic.message);
    let Some(name) = quoted.first().map(|name| last_segment(name).to_owned()) else {
        return;
    };
    // "unresolved imports `a::B`, `a::C`" tells of two names, not of a name and where it was looked for.
    let container = (quoted.get(1).filter(|_| !import_line)).map(|name| (*name).to_owned());
    let in_module = container.is_some();
    let of_path = quoted
        .first()
        .and_then(|path| path.rsplit_once("::"))
        .map(|(before, _)| before.to_owned());
    let container = container.or(of_path);

    let import = container
        .as_deref()
        .and_then(|container| import_named(scope, last_segment(container)));
    if let Some(import) = import {
        // rustc's own "similar name" says the same without the module.
        finding
            .diagnostic
            .help
            .retain(|line| !line.contains("similar name"));
        // A type that only other types name is in scope, and not in the module of the functions.
        let of_type = (scope.names.get(&name)).filter(|_| name.starts_with(char::is_uppercase));
        if let Some(path) = of_type.and_then(|paths| paths.first()) {
            let line = format!("it is in scope as `{path}`");
            finding.diagnostic.help.push(line);
            return;
        }
        finding.diagnostic.help.extend(granted(import, &name));
        finding.diagnostic.help.extend(
            granted_as(scope, &name)
                .map(|path| format!("a function of this name is granted as `{path}`")),
        );
        return;
    }
    let in_std = container
        .as_deref()
        .is_some_and(|container| matches!(first_segment(container), "std" | "core" | "alloc"));
    if let Some(ambient) = ambient(container.as_deref(), &name) {
        let advice = no_ambient_authority(scope, &[ambient]);
        finding.diagnostic.help.push(advice);
        return;
    }
    if unknown_macro && AMBIENT_MACROS.contains(&name.as_str()) {
        finding
            .diagnostic
            .help
            .push(no_ambient_authority(scope, &[format!("{name}!")]));
        return;
    }
    let of_wit_bindgen = if unknown_macro {
        matches!(name.as_str(), "export" | "generate").then(|| {
            format!(
                "`{name}!` of wit-bindgen is not needed: leave it out, plain functions are enough"
            )
        })
    } else {
        (name == "Guest").then(|| {
            "write plain functions and leave out `impl Guest for …` and `export!(…)`".to_owned()
        })
    };
    if let Some(advice) = of_wit_bindgen {
        finding.diagnostic.help.push(advice);
        return;
    }
    if unknown_macro {
        let known = habits::instead_of_macro(&name);
        if let Some(instead) = known.filter(|_| finding.diagnostic.help.is_empty()) {
            let line = format!("there are no crates in a hole: {instead}");
            finding.diagnostic.help.push(line);
        }
        return;
    }
    if in_std {
        let known = habits::instead_of_std(&name).filter(|_| finding.diagnostic.help.is_empty());
        finding.diagnostic.help.extend(known.map(str::to_owned));
        return;
    }
    if let Some(import) = elsewhere(scope, &name) {
        finding.diagnostic.help.push(import);
        return;
    }
    let root = quoted_root(&finding.diagnostic.message).to_owned();
    if let Some(line) = of_habit(&finding.diagnostic, &name) {
        // `f32` is similar to `s32`, and not what is meant.
        finding
            .diagnostic
            .help
            .retain(|line| !line.contains("similar name"));
        finding.diagnostic.help.push(line);
        return;
    }
    if is_module(&finding.diagnostic)
        && let Some(path) = habits::std_module(&root)
    {
        finding
            .diagnostic
            .help
            .push(format!("consider importing: `use {path};`"));
        if !import_line {
            finding.import(path);
        }
        return;
    }
    let up = clean::up_to_top(context, &finding.diagnostic);
    offer_import(scope, context.snippet, finding, &name, &up);
    // `advice` knows what is meant by the path that wit-bindgen has for the traits of resources.
    let of_resources = name == "exports"
        && scope
            .exports
            .iter()
            .any(|export| !export.resources.is_empty());
    let unknown_path = matches!(finding.diagnostic.code.as_deref(), Some("E0432" | "E0433"));
    let of_type = finding.diagnostic.message.starts_with("cannot find type");
    let is_crate = !in_module && !of_resources && unknown_path && !of_type;
    if is_crate && finding.edits.is_empty() && finding.diagnostic.help.is_empty() {
        let advice = module_of_interface(scope, &name).unwrap_or_else(|| {
            let bare = scope.imports.iter().any(|import| import.bare);
            let what = if bare {
                "granted here"
            } else {
                "modules that were granted"
            };
            format!(
                "there are no crates in a hole but `std`, `core` and `alloc`; {what}: {}",
                modules(scope)
            )
        });
        finding.diagnostic.help.push(advice);
        if let Some(line) = granted_instead(scope, &root).or_else(|| of_wit_path(context, finding))
        {
            finding.diagnostic.help.push(line);
        } else if let Some(instead) = habits::instead_of_crate(&root) {
            let line = format!("without `{root}`: {instead}");
            finding.diagnostic.help.push(line);
        }
    }
}

/// Whether it is about the first part of a path, which is a module or a crate.
fn is_module(diagnostic: &Diagnostic) -> bool {
    let message = diagnostic.message.as_str();
    message.starts_with("cannot find module or crate") || message.starts_with("unresolved import")
}

/// The first part of the path that a message is about.
fn quoted_root(message: &str) -> &str {
    first_segment(quoted(message).first().unwrap_or(&""))
}

/// Types and functions as WIT or another language calls them.
fn of_habit(diagnostic: &Diagnostic, name: &str) -> Option<String> {
    if diagnostic.message.starts_with("cannot find type") {
        let ty = habits::rust_type(name)?;
        let said = (diagnostic.help.iter())
            .any(|line| line.contains(ty) || line.starts_with("perhaps you intended"));
        return (!said).then(|| format!("Rust calls it `{ty}`"));
    }
    let function = [
        "cannot find function",
        "expected function, found builtin type",
    ]
    .iter()
    .any(|start| diagnostic.message.starts_with(start));
    let said = diagnostic
        .help
        .iter()
        .any(|line| line.starts_with("use the `.` operator"));
    if !function || said {
        return None;
    }
    habits::instead_of_function(name).map(|how| format!("Rust has no function `{name}`: {how}"))
}

/// What only other crates have to derive or to annotate with.
fn derived_or_attribute(message: &str) -> Option<&'static str> {
    if message.starts_with("cannot find derive macro") {
        Some(
            "there are no crates in a hole: derive what std has (`Debug`, `Clone`, `Copy`, `PartialEq`, `Eq`, `PartialOrd`, \
             `Ord`, `Hash`, `Default`) and write the rest as functions",
        )
    } else if message.starts_with("cannot find attribute") {
        Some("remove it: there are no attributes in a hole but those of the language")
    } else {
        None
    }
}

/// What is known of the names of an import of several at once, whose message quotes each path.
fn several_imports(scope: &Scope, message: &str) -> Vec<String> {
    let mut advice: Vec<String> = Vec::new();
    if !message.starts_with("unresolved imports ") {
        return advice;
    }
    let mut absent = Vec::new();
    for path in quoted(message) {
        let Some((container, name)) = path.rsplit_once("::") else {
            continue;
        };
        match import_named(scope, last_segment(container)) {
            Some(import) => advice.extend(granted(import, name)),
            None => absent.extend(ambient(Some(container), name)),
        }
    }
    if !absent.is_empty() {
        advice.push(no_ambient_authority(scope, &absent));
    }
    advice
}

/// Whether a diagnostic is about a name that does not resolve.
pub(super) fn is_unresolved(diagnostic: &Diagnostic) -> bool {
    let code = diagnostic.code.as_deref();
    code.is_some_and(|code| UNRESOLVED.contains(&code))
}

/// A method, static function or constructor of a tool's resource that exists but was not granted.
fn of_resource(scope: &Scope, diagnostic: &Diagnostic) -> Option<String> {
    if diagnostic.code.as_deref() != Some("E0599") {
        return None;
    }
    let quoted = quoted(&diagnostic.message);
    let (name, ty) = (*quoted.first()?, *quoted.get(1)?);
    let resource = last_segment(ty.trim_start_matches('&'));
    let same = |wit: &str, rust: &str| {
        wit.replace('-', "")
            .eq_ignore_ascii_case(&rust.replace('_', ""))
    };
    scope.imports.iter().find_map(|import| {
        let withheld = import.withheld.iter().find(|wit| {
            let Some((kind, path)) = wit.split_once(']') else {
                return false;
            };
            let (owner, function) = path.split_once('.').unwrap_or((path, "new"));
            let known = matches!(kind, "[method" | "[static" | "[constructor");
            known && same(owner, resource) && same(function, name)
        })?;
        let label = import.module.as_deref().unwrap_or(&import.label);
        Some(format!(
            "`{}` exists in `{label}` but is not granted to this hole",
            written(withheld)
        ))
    })
}

/// `consider importing: use std::collections::HashMap;`, as a fix when only one path fits.
///
/// `up` leads from the place to the top of the snippet.
fn offer_import(scope: &Scope, snippet: &Snippet, finding: &mut Finding, name: &str, up: &str) {
    let mut paths: Vec<String> = scope.names.get(name).cloned().unwrap_or_default();
    paths.extend(standard_paths(name));
    paths.sort();
    paths.dedup();
    let offered = finding.diagnostic.help.join("\n");
    paths.retain(|path| !offered.contains(path.as_str()));
    // What is in scope at the top is missed only in a module of the snippet, and there it is all that is needed. As a
    // value or function it is none at the top either.
    let at_top = |path: &str| !path.contains("::");
    if paths.iter().any(|path| at_top(path)) {
        paths.retain(|path| at_top(path));
        let message = &finding.diagnostic.message;
        let of_value = ["cannot find value", "cannot find function"];
        if of_value.iter().any(|start| message.starts_with(start)) {
            return;
        }
        let mut words = snippet
            .text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if !words.any(|word| word == "mod") {
            let line =
                format!("`{name}` is in scope already: write it without a path and without `use`");
            finding.diagnostic.help.push(line);
            return;
        }
    }
    let Some(first) = paths.first() else {
        return;
    };
    let shown: Vec<String> = paths
        .iter()
        .take(MOST_PATHS)
        .map(|path| {
            let from = match up {
                _ if !at_top(path) => "",
                "" => "super::",
                up => up,
            };
            format!("`use {from}{path};`")
        })
        .collect();
    finding
        .diagnostic
        .help
        .push(format!("consider importing: {}", shown.join(" or ")));
    let alone = paths.len() == 1 && !at_top(first);
    if alone && finding.edits.is_empty() && !offered.contains("consider importing") {
        finding.import(first);
    }
}

/// Whether a path that the compiler offers ends in a type or trait for which there is no better path.
pub(super) fn is_new_type(scope: &Scope, path: &str) -> bool {
    let name = last_segment(path);
    name.starts_with(char::is_uppercase)
        && !scope.names.contains_key(name)
        && standard_paths(name).next().is_none()
}

/// Whether a type is one of the hole's WIT.
pub(super) fn is_of_scope(scope: &Scope, name: &str) -> bool {
    let name = last_segment(name);
    let is_type = name.chars().next().is_some_and(char::is_uppercase);
    is_type && scope.names.get(name).is_some_and(|paths| !paths.is_empty())
}

/// Paths in the curated std of a name that stands outside its prelude. rustc does not suggest them: it only looks into
/// crates whose items carry stability attributes.
fn standard_paths(name: &str) -> impl Iterator<Item = String> {
    lacuna_guest::STD_NAMES
        .iter()
        .filter(move |(known, _)| *known == name)
        .map(|(_, path)| (*path).to_owned())
}

pub(super) fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn first_segment(path: &str) -> &str {
    path.trim_start_matches("::")
        .split("::")
        .next()
        .unwrap_or(path)
}
