//! Variants: an unknown case of an enum or of a set of flags is answered with the ones that there are, a case with a
//! value that is used without it (or the other way round), and flags written as a record, with how it is done.

use super::advice::quoted;
use super::diagnose::Context;
use super::finding::byte_of;
use crate::diagnostic::Diagnostic;
use crate::scope::Scope;
use crate::snippet::Form;

/// Most cases that are listed.
const MOST_CASES: usize = 20;

/// Adds what is known of cases and fields to one finding.
pub(super) fn advise(context: &Context<'_>, diagnostic: &mut Diagnostic) {
    let lines = advice(context, diagnostic);
    if diagnostic.code.as_deref() == Some("E0560") && !lines.is_empty() {
        // The field that rustc speaks of is private.
        diagnostic.help.clear();
    }
    diagnostic.help.extend(lines);
}

fn advice(context: &Context<'_>, diagnostic: &Diagnostic) -> Vec<String> {
    let message = diagnostic.message.as_str();
    let quoted = quoted(message);
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
        (Some("E0618"), [ty]) => called(context, diagnostic, ty),
        (Some("E0560"), [ty, ..]) => fields_of_flags(context.scope, ty),
        (Some("E0609"), [field, ty]) => asked_of_flags(context, diagnostic, field, ty)
            .into_iter()
            .collect(),
        (Some("E0308"), _) => compared_flags(context, diagnostic).into_iter().collect(),
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

/// A case without a value that is written as a call.
fn called(context: &Context<'_>, diagnostic: &Diagnostic, ty: &str) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let callee = context.primary_text(diagnostic);
    let case = callee.and_then(|callee| callee.rsplit_once(&format!("{last}::")));
    let cases = cases(context, last).unwrap_or_default();
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
    let names: Vec<String> = flags_of(scope, last)
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

/// `perms.read`, `perms.read()` and `perms.read = true` of a set of flags.
pub(super) fn asked_of_flags(
    context: &Context<'_>,
    diagnostic: &Diagnostic,
    asked: &str,
    ty: &str,
) -> Option<String> {
    let last = ty.trim_start_matches('&').rsplit("::").next()?;
    let constants = flags_of(context.scope, last)?;
    let simple = |name: &str| name.replace('_', "").to_lowercase();
    let flag = constants.iter().find(|known| {
        let asked = simple(asked);
        let asked = ["is", "has"]
            .iter()
            .find_map(|start| asked.strip_prefix(start))
            .filter(|rest| *rest == simple(known))
            .unwrap_or(&asked)
            .to_owned();
        asked == simple(known)
    });
    let Some(flag) = flag else {
        let shown: Vec<String> = (constants.iter().take(MOST_CASES))
            .map(|name| format!("`{last}::{name}`"))
            .collect();
        return Some(format!("`{last}` is a set of flags: {}", shown.join(", ")));
    };
    let (before, behind) = around(context, diagnostic)?;
    let changes = behind.starts_with('=') && !behind.starts_with("==");
    Some(if changes {
        format!(
            "`{last}` is a set of flags: `{before}.set({last}::{flag}, …)`, or `insert` and `remove`"
        )
    } else {
        format!("`{last}` is a set of flags: `{before}.contains({last}::{flag})`")
    })
}

/// What stands before the `.` at the primary place, and what behind the name.
fn around<'a>(context: &Context<'a>, diagnostic: &Diagnostic) -> Option<(&'a str, &'a str)> {
    let text = context.snippet.text.as_str();
    let primary = diagnostic.primary()?;
    let (start, end) = (byte_of(text, primary.start)?, byte_of(text, primary.end)?);
    let before = text.get(..start)?.trim_end().strip_suffix('.')?;
    let of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let from = before.rfind(|c| !of_path(c)).map_or(0, |at| {
        at + before
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .map_or(1, char::len_utf8)
    });
    Some((before.get(from..)?, text.get(end..)?.trim_start()))
}

/// `perms & Perms::READ != 0`.
fn compared_flags(context: &Context<'_>, diagnostic: &Diagnostic) -> Option<String> {
    let primary = diagnostic.primary()?;
    let (expected, found) = (primary.label.as_deref()?)
        .strip_prefix("expected `")?
        .split_once("`, found ")?;
    let last = expected.rsplit("::").next()?;
    let first = flags_of(context.scope, last)?.first()?.clone();
    matches!(found, "integer" | "`bool`").then(|| {
        format!(
            "`{last}` is a set of flags and no number: `.contains({last}::{first})`, `.is_empty()`"
        )
    })
}

fn flags_of(scope: &Scope, name: &str) -> Option<Vec<String>> {
    [&scope.surface.types, &scope.surface.imports]
        .into_iter()
        .find_map(|source| constants_of(&syn::parse_file(source).ok()?.items, name))
}

/// The first case of an enum of the scope.
pub(super) fn first_case(context: &Context<'_>, name: &str) -> Option<String> {
    let surface = &context.scope.surface;
    [&surface.types, &surface.imports]
        .into_iter()
        .find_map(|source| {
            let file = syn::parse_file(source).ok()?;
            cases_of(&file.items, name)?
                .first()
                .map(|case| case.name.clone())
        })
}

/// The traits that a type of the scope derives.
pub(super) fn derives(context: &Context<'_>, name: &str) -> Vec<String> {
    let surface = &context.scope.surface;
    let sources = [&surface.types, &surface.imports];
    let lines = sources.into_iter().flat_map(|source| source.lines());
    let mut before = "";
    for line in lines.map(str::trim) {
        let starts = |kind: &str| line.starts_with(&format!("pub {kind} {name} {{"));
        if starts("struct") || starts("enum") {
            break;
        }
        before = line;
    }
    let list = before
        .strip_prefix("#[derive(")
        .and_then(|rest| rest.strip_suffix(")]"));
    list.map_or_else(Vec::new, |list| {
        list.split(", ").map(str::to_owned).collect()
    })
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
pub(super) fn listed(context: &Context<'_>, ty: &str) -> Option<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    Some(list(last, &cases(context, last)?))
}

/// The cases of a type of the snippet or of the scope.
fn cases(context: &Context<'_>, name: &str) -> Option<Vec<Case>> {
    let own = match context.snippet.form {
        Form::Items => context.snippet.text.as_str(),
        Form::Body => "",
    };
    let scope = context.scope;
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
fn existing(context: &Context<'_>, name: &str, ty: &str, said: bool) -> Vec<String> {
    let last = ty.rsplit("::").next().unwrap_or(ty);
    let Some(cases) = cases(context, last) else {
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

/// Which case of the variant that is wanted carries a value of the type that is given.
pub(super) fn carrier(context: &Context<'_>, wanted: &str, given: &str) -> Option<String> {
    let scope = context.scope;
    let sources = [&scope.surface.types, &scope.surface.imports];
    let cases: Vec<String> = sources
        .into_iter()
        .filter_map(|source| syn::parse_file(source).ok())
        .find_map(|file| carriers(&file.items, wanted, given))?;
    match cases.as_slice() {
        [case] => Some(format!("`{wanted}::{case}(…)` carries `{given}`")),
        _ => None,
    }
}

fn carriers(items: &[syn::Item], wanted: &str, given: &str) -> Option<Vec<String>> {
    items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == wanted => Some(
            item.variants
                .iter()
                .filter(|variant| {
                    let mut fields = variant.fields.iter();
                    matches!((fields.next(), fields.next()), (Some(field), None) if is_type(&field.ty, given))
                })
                .map(|variant| variant.ident.to_string())
                .collect(),
        ),
        syn::Item::Mod(module) => carriers(&module.content.as_ref()?.1, wanted, given),
        _ => None,
    })
}

fn is_type(ty: &syn::Type, name: &str) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let segment = path.path.segments.last();
    segment.is_some_and(|segment| segment.arguments.is_none() && segment.ident == name)
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
