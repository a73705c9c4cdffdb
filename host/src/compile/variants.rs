//! Variants: an unknown case of an enum or of a set of flags is answered with the ones that there are, a case with a
//! value that is used without it (or the other way round) with how it is written.

use super::diagnose::Context;
use super::finding::Edit;
use crate::diagnostic::Diagnostic;
use crate::snippet::Form;

/// Most cases that are listed.
const MOST_CASES: usize = 20;

/// Lines of advice for one finding.
pub(super) fn advice(context: &Context<'_>, diagnostic: &Diagnostic) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if (diagnostic.help.iter()).any(|line| line.contains("syntax instead")) {
        return Vec::new();
    }
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
        (Some("E0599"), [name, ty, ..]) if is_missing_case(message) => {
            let said = diagnostic
                .help
                .iter()
                .any(|line| line.contains("similar name"));
            existing(context, name, ty, said)
        }
        _ => Vec::new(),
    }
}

/// Takes out of `#[derive(Eq, Hash, PartialEq)]`, which is to be added, what the type of the snippet derives already: the
/// compiler lists it again, and with it twice the code does not compile. The message is given back with the shorter list.
pub(super) fn without_known_derives(
    context: &Context<'_>,
    message: &str,
    edits: &mut [Edit],
) -> String {
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

fn is_missing_case(message: &str) -> bool {
    [
        "no variant ",
        "no associated item ",
        "no variant or associated item ",
    ]
    .iter()
    .any(|start| message.starts_with(start))
}

/// `` `Level` has `Low`, `High` ``.
pub(super) fn cases(context: &Context<'_>, ty: &str) -> Option<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    Some(list(last, &find(context, last)?))
}

/// `` `Level` has `Low`, `High` ``, and the one that was meant, unless rustc has said it.
fn existing(context: &Context<'_>, name: &str, ty: &str, said: bool) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let Some(cases) = find(context, last) else {
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

/// `Entry { path: String, size: u64 }`, of a struct of the scope.
pub(super) fn fields(context: &Context<'_>, ty: &str) -> Option<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let surface = &context.scope.surface;
    let sources = [&surface.types, &surface.imports];
    sources.into_iter().find_map(|source| {
        let start = source.find(&format!("pub struct {last} {{"))?;
        let (fields, _) = source.get(start..)?.split_once('{')?.1.split_once('}')?;
        let fields: Vec<&str> = fields
            .lines()
            .map(|line| line.trim().trim_start_matches("pub ").trim_end_matches(','))
            .filter(|line| !line.is_empty() && !line.starts_with("//"))
            .collect();
        Some(format!("{last} {{ {} }}", fields.join(", ")))
    })
}

/// The cases of a type of the snippet or of the scope.
fn find(context: &Context<'_>, name: &str) -> Option<Vec<Case>> {
    let own = match context.snippet.form {
        Form::Items => context.snippet.text.as_str(),
        Form::Body => "",
    };
    let surface = &context.scope.surface;
    let sources = [own, &surface.types, &surface.imports];
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
        syn::Item::Impl(item) if item.trait_.is_none() && is_named(&item.self_ty, name) => {
            let constants: Vec<Case> = item
                .items
                .iter()
                .filter_map(|item| match item {
                    syn::ImplItem::Const(constant) => Some(constant.ident.to_string()),
                    syn::ImplItem::Verbatim(tokens) => constant(&tokens.to_string()),
                    _ => None,
                })
                .map(|name| Case {
                    shown: name.clone(),
                    name,
                })
                .collect();
            (!constants.is_empty()).then_some(constants)
        }
        syn::Item::Mod(module) => cases_of(&module.content.as_ref()?.1, name),
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
