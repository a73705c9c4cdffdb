//! Suggest: an unknown name is answered with what does exist in the scope.

use super::finding::{Edit, Finding};
use crate::diagnostic::{Diagnostic, Position};
use crate::scope::{Scope, ScopeImport};
use crate::snippet::Snippet;

/// Most paths that are offered for one name.
const MOST_PATHS: usize = 4;

/// Modules of the real `std` that give authority a hole does not have.
const AMBIENT: [&str; 7] = ["fs", "env", "net", "process", "thread", "os", "time"];

/// Macros of the real `std` that read files or the environment when they are compiled, or hold machine code.
const AMBIENT_MACROS: [&str; 7] = [
    "include",
    "include_str",
    "include_bytes",
    "env",
    "option_env",
    "asm",
    "global_asm",
];

/// Codes of rustc for names that do not resolve.
const UNRESOLVED: [&str; 10] = [
    "E0405", "E0412", "E0422", "E0423", "E0425", "E0432", "E0433", "E0531", "E0574", "E0576",
];

/// Adds advice to one finding about names and what a hole does not have.
pub(super) fn improve(scope: &Scope, snippet: &Snippet, finding: &mut Finding) {
    finding
        .diagnostic
        .help
        .extend(of_resource(scope, &finding.diagnostic));
    let letters = foreign_letters(&finding.diagnostic);
    finding.diagnostic.help.extend(letters);
    if finding
        .diagnostic
        .message
        .starts_with("unresolved imports ")
    {
        several_imports(scope, &mut finding.diagnostic);
        return;
    }
    let diagnostic = &finding.diagnostic;
    let unresolved = is_unresolved(diagnostic);
    let unknown_macro = diagnostic.message.starts_with("cannot find macro");
    if let Some(line) = derived_or_attribute(&diagnostic.message) {
        finding.diagnostic.help = vec![line.to_owned()];
        return;
    }
    if !unresolved && !unknown_macro {
        return;
    }
    let quoted = quoted(&diagnostic.message);
    let Some(name) = quoted.first().map(|name| last_segment(name).to_owned()) else {
        return;
    };
    let container = quoted.get(1).map(|name| (*name).to_owned());
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
        let advice = no_ambient_authority(scope, &ambient);
        finding.diagnostic.help.push(advice);
        return;
    }
    if unknown_macro && AMBIENT_MACROS.contains(&name.as_str()) {
        finding
            .diagnostic
            .help
            .push(no_ambient_authority(scope, &format!("{name}!")));
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
        let known = macro_of_other_crate(&name);
        let line = known.filter(|_| finding.diagnostic.help.is_empty());
        finding.diagnostic.help.extend(line.map(str::to_owned));
        return;
    }
    if in_std {
        return;
    }
    if let Some(import) = elsewhere(scope, &name) {
        finding.diagnostic.help.push(import);
        return;
    }
    offer_import(scope, snippet, finding, &name);
    // `advice` knows what is meant by the path that wit-bindgen has for the traits of resources.
    let of_resources = name == "exports"
        && scope
            .exports
            .iter()
            .any(|export| !export.resources.is_empty());
    let is_crate = !in_module
        && !of_resources
        && !finding.diagnostic.message.starts_with("cannot find type")
        && (finding.diagnostic.code.as_deref() == Some("E0433")
            || finding.diagnostic.code.as_deref() == Some("E0432"));
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
    }
}

/// What only other crates have to derive or to annotate with.
fn derived_or_attribute(message: &str) -> Option<&'static str> {
    if message.starts_with("cannot find derive macro") {
        Some(
            "there are no crates in a hole: derive what std has (`Debug`, `Clone`, `PartialEq` …) and write the rest as functions",
        )
    } else if message.starts_with("cannot find attribute") {
        Some("there are no crates in a hole, and no attributes of theirs: remove it")
    } else {
        None
    }
}

/// What is written in place of a macro that other crates have.
fn macro_of_other_crate(name: &str) -> Option<&'static str> {
    match name {
        "lazy_static" => Some(
            "there are no crates in a hole: `static NAME: std::sync::LazyLock<T> = std::sync::LazyLock::new(|| …);`",
        ),
        "anyhow" | "bail" | "ensure" | "eyre" => Some(
            "there are no crates in a hole: make a value of the error type, `Err(…)`, or `return Err(…);`",
        ),
        "json" => {
            Some("there are no crates in a hole: put JSON together with `format!(\"{{…}}\")`")
        }
        "hashmap" | "btreemap" => {
            Some("there are no crates in a hole: `HashMap::from([(key, value)])`")
        }
        _ => None,
    }
}

/// The same for an import of several names at once, whose message quotes each path.
fn several_imports(scope: &Scope, diagnostic: &mut Diagnostic) {
    let mut advice: Vec<String> = Vec::new();
    for path in quoted(&diagnostic.message) {
        let Some((container, name)) = path.rsplit_once("::") else {
            continue;
        };
        match import_named(scope, last_segment(container)) {
            Some(import) => advice.extend(granted(import, name)),
            None => advice.extend(
                ambient(Some(container), name).map(|name| no_ambient_authority(scope, &name)),
            ),
        }
    }
    for line in advice {
        if !diagnostic.help.contains(&line) {
            diagnostic.help.push(line);
        }
    }
}

/// Names in which letters of another alphabet stand between those of ASCII, where the difference may be invisible.
fn foreign_letters(diagnostic: &Diagnostic) -> Vec<String> {
    // Greek to Armenian, and the wide forms of ASCII.
    let alike = |c: &char| matches!(*c as u32, 0x370..=0x58f | 0xff00..=0xffef);
    let texts = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
    let mut found: Vec<String> = Vec::new();
    for name in texts.flat_map(|text| quoted(text)) {
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let mixed = name.chars().any(|c| c.is_ascii_alphabetic());
        if let (true, true, Some(letter)) = (is_name, mixed, name.chars().find(alike)) {
            let line = format!(
                "the letter `{letter}` in `{name}` is U+{:04X}, none of ASCII: write the whole name in one alphabet",
                letter as u32
            );
            if !found.contains(&line) {
                found.push(line);
            }
        }
    }
    found
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

/// `granted in \`repo\`: read-text, entries`, and whether the name is one that the interface has but the grant leaves out.
fn granted(import: &ScopeImport, name: &str) -> Vec<String> {
    let label = import.module.as_deref().unwrap_or(&import.label);
    let functions: Vec<String> = import
        .functions
        .iter()
        .map(|function| written(&function.wit))
        .collect();
    let mut lines = Vec::new();
    if functions.is_empty() {
        lines.push(format!("granted in `{label}`: types only, no function"));
    } else {
        lines.push(format!("granted in `{label}`: {}", functions.join(", ")));
    }
    let kebab = name.replace('_', "-");
    if let Some(withheld) = import.withheld.iter().find(|wit| last_of(wit) == kebab) {
        lines.push(format!(
            "`{}` exists in `{label}` but is not granted to this hole",
            written(withheld)
        ));
    }
    let rust = import
        .functions
        .iter()
        .map(|function| function.rust.as_str());
    if let Some(near) = crate::error::nearest(name, rust) {
        lines.push(format!(
            "there is a function with a similar name: `{label}::{near}`"
        ));
    }
    lines
}

/// A granted function that was named without its module, or in another one.
fn granted_as(scope: &Scope, name: &str) -> Option<String> {
    scope.imports.iter().find_map(|import| {
        let function = import
            .functions
            .iter()
            .find(|function| function.rust == name && !function.wit.starts_with('['))?;
        let path = match import.module.as_deref() {
            Some(module) => format!("{module}::{}", function.rust),
            None => function.rust.clone(),
        };
        (!import.implicit).then_some(path)
    })
}

/// The modules of an interface whose last name is no module: two packages or versions have it, or imports give it labels.
fn module_of_interface(scope: &Scope, name: &str) -> Option<String> {
    let found: Vec<String> = scope
        .imports
        .iter()
        .filter(|import| !import.functions.is_empty())
        .filter_map(|import| {
            let interface = import.interface.as_deref()?;
            let path = interface.split('@').next().unwrap_or(interface);
            let last = path.rsplit('/').next()?.replace('-', "_");
            let module = import.module.as_deref()?;
            (last == name).then(|| format!("`{module}` ({interface})"))
        })
        .collect();
    (!found.is_empty()).then(|| format!("`{name}` stands here as {}", found.join(", ")))
}

fn elsewhere(scope: &Scope, name: &str) -> Option<String> {
    let granted = granted_as(scope, name).map(|path| format!("it is granted as `{path}`"));
    granted.or_else(|| {
        let kebab = name.replace('_', "-");
        let import = scope
            .imports
            .iter()
            .find(|import| import.withheld.contains(&kebab))?;
        Some(format!(
            "`{kebab}` exists in `{}` but is not granted to this hole",
            import.label
        ))
    })
}

/// What a name is called that would reach outside: `fs`, `thread::spawn`, `include_str!`. The module is written whole
/// (`std::thread`), or, where rustc leaves out where it stands, as `time`.
fn ambient(container: Option<&str>, name: &str) -> Option<String> {
    let container = container?.trim_start_matches("::");
    let module = match container.split_once("::") {
        Some(("std" | "core" | "alloc", module)) => module,
        None => container,
        Some(_) => return None,
    };
    if AMBIENT.contains(&module) || (module, name) == ("io", "stdin") {
        Some(format!("{module}::{name}"))
    } else if !matches!(module, "std" | "core" | "alloc") {
        None
    } else if AMBIENT.contains(&name) {
        Some(name.to_owned())
    } else {
        AMBIENT_MACROS.contains(&name).then(|| format!("{name}!"))
    }
}

fn no_ambient_authority(scope: &Scope, name: &str) -> String {
    let granted = modules(scope);
    format!(
        "a hole has no `{name}` of std: the outside is reached only through what is granted, here {granted}"
    )
}

/// The modules of granted functions, and functions of the world, in a sentence.
fn modules(scope: &Scope) -> String {
    let granted: Vec<String> = scope
        .imports
        .iter()
        .filter(|import| !import.implicit)
        .filter_map(|import| {
            let function = import.functions.first()?;
            Some(match &import.module {
                Some(module) => format!("`{module}`"),
                None => format!("the function `{}`", function.rust),
            })
        })
        .collect();
    match granted.as_slice() {
        [] => "nothing".to_owned(),
        modules => modules.join(", "),
    }
}

/// `consider importing: use std::collections::HashMap;`, as a fix when only one path fits.
fn offer_import(scope: &Scope, snippet: &Snippet, finding: &mut Finding, name: &str) {
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
            let from = if at_top(path) { "super::" } else { "" };
            format!("`use {from}{path};`")
        })
        .collect();
    finding
        .diagnostic
        .help
        .push(format!("consider importing: {}", shown.join(" or ")));
    let alone = paths.len() == 1 && !at_top(first);
    if alone && finding.edits.is_empty() && !offered.contains("consider importing") {
        // Before everything: good for items and, as a statement, for a body.
        let start = Position { line: 1, column: 1 };
        finding.set_edits(vec![Edit {
            start,
            end: start,
            replacement: format!("use {first};\n"),
        }]);
    }
}

/// Paths in the curated std of a name that stands outside its prelude. rustc does not suggest them: it only looks into
/// crates whose items carry stability attributes.
fn standard_paths(name: &str) -> impl Iterator<Item = String> {
    lacuna_guest::STD_NAMES
        .iter()
        .filter(move |(known, _)| *known == name)
        .map(|(_, path)| (*path).to_owned())
}

fn import_named<'a>(scope: &'a Scope, module: &str) -> Option<&'a ScopeImport> {
    scope
        .imports
        .iter()
        .find(|import| import.module.as_deref() == Some(module))
}

/// What stands between backticks.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Whether a message misses a method of paths that would look at files.
pub(super) fn asks_the_file_system(message: &str) -> bool {
    const METHODS: [&str; 9] = [
        "canonicalize",
        "exists",
        "is_dir",
        "is_file",
        "is_symlink",
        "metadata",
        "read_dir",
        "read_link",
        "try_exists",
    ];
    let quoted = quoted(message);
    let of_path = quoted
        .iter()
        .any(|ty| matches!(*ty, "&Path" | "Path" | "PathBuf" | "&PathBuf"));
    of_path && quoted.first().is_some_and(|name| METHODS.contains(name))
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

/// `read` of `[method]file.read`.
fn last_of(wit: &str) -> &str {
    wit.rsplit(['.', ']']).next().unwrap_or(wit)
}

/// As manifests write a function: `dir.open` for `[method]dir.open`, `dir.constructor` for `[constructor]dir`.
fn written(wit: &str) -> String {
    match wit.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some(("constructor", resource)) => format!("{resource}.constructor"),
        Some((_, rest)) => rest.to_owned(),
        None => wit.to_owned(),
    }
}
