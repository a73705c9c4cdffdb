//! Variants: an unknown case of an enum or of a set of flags is answered with the ones that there are, a case with a
//! value that is used without it (or the other way round), and flags written as a record, with how it is done.

use super::finding::byte_of;
use crate::diagnostic::Diagnostic;
use crate::scope::Scope;
use crate::snippet::{Form, Snippet};

/// Most cases that are listed.
const MOST_CASES: usize = 20;

/// Lines of advice for one finding.
pub(super) fn advice(scope: &Scope, snippet: &Snippet, diagnostic: &Diagnostic) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (diagnostic.code.as_deref(), quoted.as_slice()) {
        (Some("E0532" | "E0533"), [path, ..])
            if message.starts_with(
                "expected unit struct, unit variant or constant, found tuple variant",
            ) =>
        {
            vec![format!(
                "`{path}` carries a value: write `{path}(_)`, or a name in place of `_`"
            )]
        }
        (Some("E0164" | "E0532"), [path, ..])
            if message
                .starts_with("expected tuple struct or tuple variant, found unit variant") =>
        {
            vec![format!("`{path}` carries no value: write it without `(…)`")]
        }
        (Some("E0618"), [ty]) => called(scope, snippet, diagnostic, ty),
        (Some("E0560"), [ty, ..]) => fields_of_flags(scope, ty),
        (Some("E0599"), [name, ty, ..]) if is_missing_case(message) => {
            let said = diagnostic
                .help
                .iter()
                .any(|line| line.contains("similar name"));
            existing(scope, snippet, name, ty, said)
        }
        _ => Vec::new(),
    }
}

/// A case without a value that is written as a call.
fn called(scope: &Scope, snippet: &Snippet, diagnostic: &Diagnostic, ty: &str) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let callee = diagnostic
        .spans
        .iter()
        .filter(|span| span.primary)
        .find_map(|span| {
            let start = byte_of(&snippet.text, span.start)?;
            snippet.text.get(start..byte_of(&snippet.text, span.end)?)
        });
    let case = callee.and_then(|callee| callee.rsplit_once(&format!("{last}::")));
    let cases = cases(scope, snippet, last).unwrap_or_default();
    match case {
        Some((_, case)) if cases.iter().any(|known| known.shown == case) => {
            vec![format!(
                "`{last}::{case}` carries no value: write it without `(…)`"
            )]
        }
        _ => Vec::new(),
    }
}

/// A set of flags that is written as a record of booleans. Its only field is private.
fn fields_of_flags(scope: &Scope, ty: &str) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let constants = [&scope.surface.types, &scope.surface.imports]
        .into_iter()
        .find_map(|source| constants_of(&syn::parse_file(source).ok()?.items, last));
    let names: Vec<String> = constants
        .unwrap_or_default()
        .iter()
        .take(MOST_CASES)
        .map(|name| format!("`{last}::{name}`"))
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "`{last}` is a set of flags: join {} with `|`, none of them is `{last}::empty()`",
        names.join(", ")
    )]
}

fn is_missing_case(message: &str) -> bool {
    [
        "no variant ",
        "no associated item ",
        "no variant or associated item ",
    ]
    .iter()
    .any(|start| message.starts_with(start))
}

/// `` `Level` has `Low`, `High` ``, if it is an enum or a set of flags that can be seen.
pub(super) fn listed(scope: &Scope, snippet: &Snippet, ty: &str) -> Option<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    Some(list(last, &cases(scope, snippet, last)?))
}

/// The cases of a type of the snippet or of the scope.
fn cases(scope: &Scope, snippet: &Snippet, name: &str) -> Option<Vec<Case>> {
    let own = match snippet.form {
        Form::Items => snippet.text.as_str(),
        Form::Body => "",
    };
    let sources = [own, &scope.surface.types, &scope.surface.imports];
    sources.into_iter().find_map(|source| {
        let file = syn::parse_file(source).ok()?;
        cases_of(&file.items, name).filter(|cases| !cases.is_empty())
    })
}

fn list(name: &str, cases: &[Case]) -> String {
    let mut shown: Vec<String> = cases
        .iter()
        .take(MOST_CASES)
        .map(|case| format!("`{}`", case.shown))
        .collect();
    if cases.len() > MOST_CASES {
        shown.push("…".to_owned());
    }
    format!("`{name}` has {}", shown.join(", "))
}

/// The cases that there are, and the one that was meant, unless rustc has said it.
fn existing(scope: &Scope, snippet: &Snippet, name: &str, ty: &str, said: bool) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let Some(cases) = cases(scope, snippet, last) else {
        return Vec::new();
    };
    let mut lines = vec![list(last, &cases)];
    let simple = |name: &str| name.replace('_', "").to_lowercase();
    let near = cases
        .iter()
        .find(|case| simple(&case.name) == simple(name))
        .map(|case| case.name.as_str())
        .or_else(|| crate::error::nearest(name, cases.iter().map(|case| case.name.as_str())));
    if let (false, Some(near)) = (said, near) {
        lines.push(format!("did you mean `{last}::{near}`?"));
    }
    lines
}

/// A variant or a constant.
struct Case {
    name: String,
    /// With `(_)` where it carries a value.
    shown: String,
}

/// The variants of the enum `name`, or the constants of the set of flags, wherever it stands.
fn cases_of(items: &[syn::Item], name: &str) -> Option<Vec<Case>> {
    items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == name => Some(
            item.variants
                .iter()
                .map(|variant| {
                    let name = variant.ident.to_string();
                    let shown = match &variant.fields {
                        syn::Fields::Unnamed(fields) => {
                            let holes = vec!["_"; fields.unnamed.len()].join(", ");
                            format!("{name}({holes})")
                        }
                        syn::Fields::Named(_) => format!("{name} {{ .. }}"),
                        syn::Fields::Unit => name.clone(),
                    };
                    Case { name, shown }
                })
                .collect(),
        ),
        syn::Item::Impl(_) => {
            let names = constants_of(std::slice::from_ref(item), name)?;
            let case = |name: String| Case {
                shown: name.clone(),
                name,
            };
            Some(names.into_iter().map(case).collect())
        }
        syn::Item::Mod(module) => cases_of(&module.content.as_ref()?.1, name),
        _ => None,
    })
}

/// The constants of the set of flags `name`, wherever it stands.
fn constants_of(items: &[syn::Item], name: &str) -> Option<Vec<String>> {
    items.iter().find_map(|item| match item {
        syn::Item::Impl(item) if item.trait_.is_none() && is_named(&item.self_ty, name) => {
            let constants: Vec<String> = item
                .items
                .iter()
                .filter_map(|item| match item {
                    syn::ImplItem::Const(constant) => Some(constant.ident.to_string()),
                    syn::ImplItem::Verbatim(tokens) => constant(&tokens.to_string()),
                    _ => None,
                })
                .collect();
            (!constants.is_empty()).then_some(constants)
        }
        syn::Item::Mod(module) => constants_of(&module.content.as_ref()?.1, name),
        _ => None,
    })
}

fn is_named(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident(name))
}

/// The name of a constant that is only declared: what the surface shows is no whole Rust, and syn hands out its tokens.
fn constant(tokens: &str) -> Option<String> {
    let mut words = tokens
        .split_whitespace()
        .skip_while(|word| *word != "const");
    words.next()?;
    words.next().map(str::to_owned)
}
