//! The code that joins a snippet to its exports.
//!
//! Freestanding functions: the export glue is compiled once, in the bindings, and calls one `extern "Rust"` symbol per
//! function; `fill!()` defines the symbol in the snippet's crate. A second `fill!()` is "already defined", a wrong
//! signature a type error. An exported resource is generic over the snippet's type, so its glue expands in the snippet.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proc_macro2::TokenStream;
use syn::{FnArg, Pat, ReturnType, Signature, TraitItem};
use wit_parser::{Resolve, TypeDefKind};

use super::layout::{Layout, Style};
use super::names::{Group, camel_words};
use super::seal::{Sealed, instantiate, join};
use super::{ScopeExport, ScopeResource};
use crate::toolchain::BINDINGS_CRATE;

/// The crate's code behind the generated module, and the macro.
pub(super) struct Glue {
    /// `mod fill { … }` and, with resources, `pub mod glue { … }`.
    pub(super) modules: String,
    /// `macro_rules! fill`.
    pub(super) fill: String,
}

/// A group of exports with its trait.
pub(super) struct Exporter<'a> {
    pub(super) export: &'a ScopeExport,
    /// `None` for functions of the world.
    pub(super) group: Option<&'a Group>,
}

/// Writes the glue of all exports.
pub(super) fn glue(exporters: &[Exporter<'_>], sealed: &Sealed, layout: &Layout) -> Glue {
    let mut inside = String::new();
    let mut open = String::new();
    let mut fill = String::new();
    let mut has_resources = false;
    for exporter in exporters {
        let path = exporter
            .group
            .map(|group| group.path.clone())
            .unwrap_or_default();
        let module = path.join("::");
        let guest = join(&path, "Guest");
        let Some(body) = sealed.exports.get(&module) else {
            continue;
        };
        let resources = &exporter.export.resources;
        let functions = sealed
            .traits
            .get(&guest)
            .map(|guest| guest.items.as_slice())
            .unwrap_or_default();
        let signatures = functions.iter().filter_map(|item| match item {
            TraitItem::Fn(function) => Some(&function.sig),
            _ => None,
        });
        if resources.is_empty() {
            let mut methods = String::new();
            for signature in signatures {
                let symbol = symbol(exporter.group, signature);
                let declared = declaration(layout, signature, &path, Style::Inside, &symbol);
                let method = declaration(
                    layout,
                    signature,
                    &path,
                    Style::Inside,
                    &signature.ident.to_string(),
                );
                let arguments = arguments(signature);
                let _ = writeln!(
                    methods,
                    "{method} {{ unsafe extern \"Rust\" {{ {declared}; }} unsafe {{ {symbol}({arguments}) }} }}"
                );
                let outside = declaration(layout, signature, &path, Style::Macro, &symbol);
                let target = target(exporter.export, signature);
                let _ = writeln!(
                    fill,
                    "#[unsafe(no_mangle)] extern \"Rust\" {outside} {{ {target}({arguments}) }}"
                );
            }
            let types = parse_tokens(&format!("crate::generated{}", prefixed(&module)));
            let body = instantiate(body.clone(), &parse_tokens("Hole"), &types);
            let _ = writeln!(
                inside,
                "impl crate::generated::{guest} for Hole {{ {methods} }} {body}"
            );
        } else {
            has_resources = true;
            let name = exporter
                .group
                .map(|group| group.module.as_str())
                .unwrap_or_default();
            let raw = sealed.raw.get(&module).cloned().unwrap_or_default();
            let handles = resources.iter().map(|resource| camel_words(&resource.wit));
            let names: Vec<String> = ["Guest".to_owned()]
                .into_iter()
                .chain(handles)
                .chain(raw)
                .collect();
            let _ = writeln!(
                open,
                "pub mod {name} {{ pub use crate::generated::{module}::{{{}}}; }}",
                names.join(", ")
            );
            let mut items = String::new();
            for resource in resources {
                let _ = writeln!(
                    items,
                    "type {} = {};",
                    camel_words(&resource.wit),
                    resource.slot
                );
            }
            for signature in signatures {
                let method = declaration(
                    layout,
                    signature,
                    &path,
                    Style::Macro,
                    &signature.ident.to_string(),
                );
                let target = target(exporter.export, signature);
                let _ = writeln!(items, "{method} {{ {target}({}) }}", arguments(signature));
            }
            let types = format!("$crate::glue::{name}");
            let body = instantiate(body.clone(), &parse_tokens("__Hole"), &parse_tokens(&types));
            let _ = writeln!(fill, "impl {types}::Guest for __Hole {{ {items} }}\n{body}");
        }
    }
    if has_resources {
        fill.insert_str(0, "struct __Hole;\n");
    }
    let mut modules = String::new();
    if !inside.is_empty() {
        let _ = writeln!(modules, "mod fill {{ struct Hole; {inside} }}");
    }
    if !open.is_empty() {
        let _ = writeln!(modules, "#[doc(hidden)] pub mod glue {{ {open} }}");
    }
    Glue {
        modules,
        fill: format!(
            "#[doc(hidden)]\n#[macro_export]\nmacro_rules! fill {{\n() => {{\n{fill}}};\n}}\n"
        ),
    }
}

/// What stands behind the model's text in `snippet.rs`.
pub(super) fn behind(exports: &[ScopeExport], resources: &BTreeMap<String, String>) -> String {
    let mut uses = String::new();
    for resource in exports.iter().flat_map(|export| &export.resources) {
        if let Some(path) = resources.get(&resource.trait_name) {
            let _ = write!(uses, "use super::{path} as {}; ", resource.slot);
        }
    }
    format!(
        "\n#[allow(non_camel_case_types, unused_imports)] mod __lacuna_glue {{ {uses}::{BINDINGS_CRATE}::fill!(); }}\n"
    )
}

/// The resources of an exported interface.
pub(super) fn resources(resolve: &Resolve, group: &Group, layout: &Layout) -> Vec<ScopeResource> {
    let interface = &resolve.interfaces[group.id];
    interface
        .types
        .iter()
        .filter(|(_, id)| matches!(resolve.types[**id].kind, TypeDefKind::Resource))
        .map(|(wit, _)| {
            let name = camel_words(wit);
            let at = join(&group.path, &format!("Guest{name}"));
            ScopeResource {
                wit: wit.clone(),
                trait_name: layout
                    .home(&at)
                    .map_or_else(|| format!("Guest{name}"), str::to_owned),
                slot: format!("__Lacuna_{}_{name}", group.module),
                trait_text: String::new(),
            }
        })
        .collect()
}

/// `fn NAME(a: T) -> R` in a style.
pub(super) fn declaration(
    layout: &Layout,
    signature: &Signature,
    module: &[String],
    style: Style<'_>,
    name: &str,
) -> String {
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => parameters.push("&self".to_owned()),
            FnArg::Typed(typed) => {
                let Pat::Ident(pattern) = &*typed.pat else {
                    continue;
                };
                let mut parameter = pattern.ident.to_string();
                if !matches!(style, Style::Inside | Style::Macro) {
                    parameter = super::names::in_snippet(&parameter);
                }
                parameters.push(format!(
                    "{parameter}: {}",
                    layout.write(&typed.ty, module, style)
                ));
            }
        }
    }
    let result = match &signature.output {
        ReturnType::Type(_, ty) if !matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty()) =>
        {
            format!(" -> {}", layout.write(ty, module, style))
        }
        _ => String::new(),
    };
    let bound = if signature.generics.where_clause.is_some()
        && matches!(style, Style::Inside | Style::Macro)
    {
        " where Self: Sized"
    } else {
        ""
    };
    format!("fn {name}({}){result}{bound}", parameters.join(", "))
}

fn arguments(signature: &Signature) -> String {
    let names: Vec<String> = signature
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(pattern) => Some(pattern.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
        .collect();
    names.join(", ")
}

/// The symbol that `fill!` defines. Words of WIT names are joined by single underscores, so `__` cannot be ambiguous.
fn symbol(group: Option<&Group>, signature: &Signature) -> String {
    match group {
        None => format!("__lacuna_fill_{}", signature.ident),
        Some(group) => format!("__lacuna_fill_{}__{}", group.module, signature.ident),
    }
}

/// The snippet's function, seen from the private module behind its text.
fn target(export: &ScopeExport, signature: &Signature) -> String {
    match &export.module {
        None => format!("super::{}", signature.ident),
        Some(module) => format!("super::{module}::{}", signature.ident),
    }
}

fn prefixed(module: &str) -> String {
    if module.is_empty() {
        String::new()
    } else {
        format!("::{module}")
    }
}

fn parse_tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
