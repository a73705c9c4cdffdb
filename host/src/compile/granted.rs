//! Granted: unknown names, answered with the functions and modules that a hole has been given.

use super::advice::declared;
use super::diagnose::Context;
use super::finding::{Finding, byte_of};
use super::habits;
use crate::scope::{Scope, ScopeImport};

/// Most granted functions that are shown with their signatures.
const MOST_CALLS: usize = 8;

/// `granted in \`repo\`: read-text, entries`, and whether the name is one that the interface has but the grant leaves out.
pub(super) fn granted(import: &ScopeImport, name: &str) -> Vec<String> {
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
        lines.extend(in_rust(import, label));
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

/// How granted functions are called, where their names are written otherwise in Rust.
fn in_rust(import: &ScopeImport, label: &str) -> Option<String> {
    let plain = || (import.functions.iter()).filter(|function| !function.wit.starts_with('['));
    if !plain().any(|function| function.wit != function.rust) {
        return None;
    }
    let mut shown: Vec<String> = plain()
        .take(MOST_CALLS)
        .map(|function| {
            let path = format!("{label}::{}", function.rust);
            format!("`{}`", declared(function, &path))
        })
        .collect();
    if plain().nth(MOST_CALLS).is_some() {
        shown.push("…".to_owned());
    }
    Some(format!("in Rust: {}", shown.join(", ")))
}

/// A granted function that was named without its module, or in another one.
pub(super) fn granted_as(scope: &Scope, name: &str) -> Option<String> {
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
pub(super) fn module_of_interface(scope: &Scope, name: &str) -> Option<String> {
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

/// A granted package that does what a crate is for.
pub(super) fn granted_instead(scope: &Scope, root: &str) -> Option<String> {
    let package = habits::granted_for(root)?;
    let of_package = |import: &&ScopeImport| {
        let id = import.interface.as_deref();
        id.is_some_and(|id| id.starts_with(package)) && !import.functions.is_empty()
    };
    let modules: Vec<String> = (scope.imports.iter().filter(of_package))
        .filter_map(|import| Some(format!("`{}`", import.module.as_deref()?)))
        .collect();
    (!modules.is_empty()).then(|| {
        format!(
            "without `{root}`: use what is granted in {}",
            modules.join(", ")
        )
    })
}

/// `use lacuna::fs::read`, `use demo::audit::types::Item`: paths as packages have them.
pub(super) fn of_wit_path(context: &Context<'_>, finding: &Finding) -> Option<String> {
    let text = context.snippet.text.as_str();
    let at = byte_of(text, finding.diagnostic.primary()?.start)?;
    let rest = text.get(at..)?;
    let of_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let path = rest.get(..rest.find(|c| !of_path(c)).unwrap_or(rest.len()))?;
    let scope = context.scope;
    path.split("::")
        .filter(|part| !part.is_empty())
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .find_map(|part| {
            let own = scope.names.get(part).and_then(|paths| paths.first());
            if let Some(own) = own.filter(|_| part.starts_with(char::is_uppercase)) {
                return Some(format!(
                    "`{part}` is in scope already as `{own}`: leave this path out"
                ));
            }
            let import = scope.imports.iter().find(|import| {
                let interface = import.interface.as_deref().unwrap_or_default();
                let interface = interface.split('@').next().unwrap_or(interface);
                let last = interface.rsplit('/').next().unwrap_or_default();
                !import.implicit && last.replace('-', "_") == part
            })?;
            let module = import.module.as_deref()?;
            Some(format!(
                "what is granted of it is in scope already as `{module}`: leave this path out"
            ))
        })
}

pub(super) fn elsewhere(scope: &Scope, name: &str) -> Option<String> {
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

pub(super) fn import_named<'a>(scope: &'a Scope, module: &str) -> Option<&'a ScopeImport> {
    scope
        .imports
        .iter()
        .find(|import| import.module.as_deref() == Some(module))
}

/// `read` of `[method]file.read`.
fn last_of(wit: &str) -> &str {
    wit.rsplit(['.', ']']).next().unwrap_or(wit)
}

/// As manifests write a function: `dir.open` for `[method]dir.open`, `dir.constructor` for `[constructor]dir`.
pub(super) fn written(wit: &str) -> String {
    match wit.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some(("constructor", resource)) => format!("{resource}.constructor"),
        Some((_, rest)) => rest.to_owned(),
        None => wit.to_owned(),
    }
}
