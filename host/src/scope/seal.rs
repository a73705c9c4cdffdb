//! One pass over the generated code that makes it safe to name: handles cannot be made from numbers nor read as
//! numbers, nothing `unsafe` and no macro is left within reach, and every type has the traits it can have.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Expr, ImplItem, Item, ItemEnum, ItemImpl, ItemStruct, ItemTrait, Signature,
    Visibility, parse_quote,
};
use wit_parser::{Resolve, Type, TypeDefKind, TypeId};

use super::ScopeError;
use super::cursor::cursor;
use super::names::camel;
use super::traits::TraitTable;
use crate::error::Place;

/// What the generated code declares, by path (`lacuna::fs::types::Entry`).
#[derive(Default)]
pub(super) struct Sealed {
    pub(super) items: Vec<Item>,
    pub(super) types: BTreeMap<String, Shape>,
    pub(super) functions: BTreeMap<String, Signature>,
    pub(super) traits: BTreeMap<String, ItemTrait>,
    /// Body of the export macro of each exporting module, with its `$ty` and `$path_to_types` unreplaced.
    pub(super) exports: BTreeMap<String, TokenStream>,
    /// Functions that the export macros call, by module.
    pub(super) raw: BTreeMap<String, Vec<String>>,
}

/// A declared type.
pub(super) enum Shape {
    Struct(ItemStruct),
    Enum(ItemEnum),
    Alias(syn::Type),
    Flags,
    Handle,
}

/// Parses and seals `source`. `ids` maps paths of types to WIT, `errors` holds the definitions that need `Display`,
/// `open` the modules whose export code is expanded in the snippet's crate.
pub(super) fn seal(
    source: &str,
    resolve: &Resolve,
    ids: &BTreeMap<String, TypeId>,
    errors: &BTreeSet<TypeId>,
    open: &BTreeSet<String>,
    place: &Place,
) -> Result<Sealed, ScopeError> {
    let mut file = syn::parse_file(source).map_err(|error| ScopeError::Generator {
        message: format!("not Rust: {error}"),
        place: Box::new(place.clone()),
    })?;
    DropDocs.visit_file_mut(&mut file);
    UnsafeRep.visit_file_mut(&mut file);
    let mut sealer = Sealer {
        resolve,
        ids,
        errors,
        open,
        traits: TraitTable::new(resolve),
        sealed: Sealed::default(),
    };
    let items = sealer.items(file.items, &mut Vec::new());
    let mut sealed = sealer.sealed;
    sealed.items = items;
    Ok(sealed)
}

struct Sealer<'a> {
    resolve: &'a Resolve,
    ids: &'a BTreeMap<String, TypeId>,
    errors: &'a BTreeSet<TypeId>,
    open: &'a BTreeSet<String>,
    traits: TraitTable<'a>,
    sealed: Sealed,
}

impl Sealer<'_> {
    fn items(&mut self, items: Vec<Item>, path: &mut Vec<String>) -> Vec<Item> {
        let mut kept = Vec::new();
        for item in items {
            self.item(item, path, &mut kept);
        }
        kept
    }

    fn item(&mut self, item: Item, path: &mut Vec<String>, kept: &mut Vec<Item>) {
        match item {
            Item::Mod(mut module) => {
                if module.ident == "_rt" {
                    module.vis = parse_quote!(pub(crate));
                } else if let Some((brace, items)) = module.content.take() {
                    path.push(module.ident.to_string());
                    module.content = Some((brace, self.items(items, path)));
                    path.pop();
                }
                kept.push(Item::Mod(module));
            }
            // The world's encoding; the host embeds its own.
            Item::Static(it) if it.ident == "__WIT_BINDGEN_COMPONENT_TYPE" => {}
            Item::Macro(it) if it.mac.path.is_ident("macro_rules") => {
                let name = it.ident.map(|ident| ident.to_string()).unwrap_or_default();
                if name.ends_with("_cabi")
                    && let Some(body) = macro_body(it.mac.tokens)
                {
                    self.sealed.exports.insert(path.join("::"), body);
                }
            }
            Item::Macro(it) => {
                if let Some(name) = struct_name(&it.mac.tokens) {
                    let at = join(path, &name);
                    self.sealed.types.insert(at.clone(), Shape::Flags);
                    kept.push(Item::Macro(it));
                    self.display(&at, &name, kept);
                }
            }
            Item::Use(it) if matches!(&it.vis, Visibility::Restricted(_)) || exports_macro(&it) => {
            }
            Item::Struct(it) => self.structure(it, path, kept),
            Item::Enum(mut it) => {
                let at = join(path, &it.ident.to_string());
                self.derive(&at, &mut it.attrs);
                self.sealed
                    .types
                    .insert(at.clone(), Shape::Enum(it.clone()));
                let name = it.ident.to_string();
                kept.push(Item::Enum(it));
                self.display(&at, &name, kept);
            }
            Item::Type(it) => {
                self.sealed.types.insert(
                    join(path, &it.ident.to_string()),
                    Shape::Alias((*it.ty).clone()),
                );
                kept.push(renamed(&it).unwrap_or(Item::Type(it)));
            }
            Item::Impl(it) => self.implementation(it, path, kept),
            Item::Fn(mut it) => {
                let name = it.sig.ident.to_string();
                if name.starts_with("_export_") {
                    // What was printed without a line end would otherwise wait for a call that may never come.
                    let block = &it.block;
                    it.block = parse_quote!({
                        let result = #block;
                        ::lacuna_rt::flush();
                        result
                    });
                }
                if name.starts_with("_export_") || name.starts_with("__post_return_") {
                    let module = path.join("::");
                    if self.open.contains(&module) {
                        self.sealed.raw.entry(module).or_default().push(name);
                    } else {
                        it.vis = parse_quote!(pub(crate));
                    }
                } else if matches!(it.vis, Visibility::Public(_)) {
                    self.sealed
                        .functions
                        .insert(join(path, &name), it.sig.clone());
                }
                kept.push(Item::Fn(it));
            }
            Item::Trait(it) => {
                self.sealed
                    .traits
                    .insert(join(path, &it.ident.to_string()), it.clone());
                kept.push(Item::Trait(it));
            }
            other => kept.push(other),
        }
    }

    fn structure(&mut self, mut it: ItemStruct, path: &[String], kept: &mut Vec<Item>) {
        let name = it.ident.to_string();
        let at = join(path, &name);
        let field = |wanted: &str| {
            it.fields.iter().any(|field| {
                field.ident.as_ref().is_some_and(|ident| ident == wanted)
                    && !matches!(field.vis, Visibility::Public(_))
            })
        };
        if field("handle") || field("rep") {
            // `derive(Debug)` would print the handle's number.
            it.attrs
                .retain(|attribute| !attribute.path().is_ident("derive"));
            let ident = &it.ident;
            let generics = if it.generics.params.is_empty() {
                quote!()
            } else {
                quote!(<'_>)
            };
            let debug = parse_quote! {
                impl ::core::fmt::Debug for #ident #generics {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        f.write_str(#name)
                    }
                }
            };
            self.sealed.types.insert(at, Shape::Handle);
            kept.push(Item::Struct(it));
            kept.push(Item::Impl(debug));
        } else if matches!(it.vis, Visibility::Public(_)) {
            self.derive(&at, &mut it.attrs);
            self.sealed
                .types
                .insert(at.clone(), Shape::Struct(it.clone()));
            kept.push(Item::Struct(it));
            self.display(&at, &name, kept);
        } else {
            kept.push(Item::Struct(it));
        }
    }

    /// Replaces the generator's derives by all that the type can have.
    fn derive(&mut self, at: &str, attributes: &mut Vec<Attribute>) {
        let Some(id) = self.ids.get(at) else { return };
        attributes.retain(|attribute| !attribute.path().is_ident("derive"));
        let names: Vec<_> = self
            .traits
            .of(*id)
            .derives()
            .into_iter()
            .map(|name| format_ident!("{name}"))
            .collect();
        if !names.is_empty() {
            attributes.push(parse_quote!(#[derive(#(#names),*)]));
        }
    }

    /// Keeps an `impl` block, sealed, or drops it where ours takes its place.
    fn implementation(&mut self, mut it: ItemImpl, path: &[String], kept: &mut Vec<Item>) {
        let own = match &*it.self_ty {
            syn::Type::Path(own) => own
                .path
                .get_ident()
                .or(own.path.segments.last().map(|last| &last.ident))
                .cloned(),
            _ => None,
        };
        if let (Some((_, implemented, _)), Some(own)) = (&it.trait_, &own) {
            let implemented = implemented
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default();
            let ours = self.ids.contains_key(&join(path, &own.to_string()));
            if ours && matches!(implemented.as_str(), "Debug" | "Display" | "Error") {
                return;
            }
            kept.push(Item::Impl(it));
            return;
        }
        // `name` and `message` of error enums: `Display` says it.
        let names: Vec<String> = it
            .items
            .iter()
            .filter_map(|item| match item {
                ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
                _ => None,
            })
            .collect();
        if names == ["name", "message"] {
            return;
        }
        let loops = own
            .iter()
            .flat_map(|own| cursor(own, &it))
            .collect::<Vec<_>>();
        for item in &mut it.items {
            let ImplItem::Fn(function) = item else {
                continue;
            };
            let name = function.sig.ident.to_string();
            if matches!(
                name.as_str(),
                "from_handle" | "take_handle" | "handle" | "lift" | "_lift"
            ) && names.len() != 1
                || matches!(name.as_str(), "lift" | "_lift") && function.sig.unsafety.is_some()
            {
                function.vis = parse_quote!(pub(crate));
            } else if let (Some(own), Visibility::Public(_)) = (&own, &function.vis) {
                let at = join(path, &format!("{own}::{name}"));
                self.sealed.functions.insert(at, function.sig.clone());
            }
        }
        kept.push(Item::Impl(it));
        kept.extend(loops.into_iter().map(Item::Impl));
    }

    /// `Display`, `Error` and `From<…> for String` of an error type.
    fn display(&mut self, at: &str, name: &str, kept: &mut Vec<Item>) {
        let Some(id) = self.ids.get(at).copied() else {
            return;
        };
        if !self.errors.contains(&id) || !self.traits.of(id).debug {
            return;
        }
        let ident = format_ident!("{name}");
        let body = match &self.resolve.types[id].kind {
            TypeDefKind::Enum(cases) => {
                let arms = cases.cases.iter().map(|case| {
                    let rust = format_ident!("{}", super::names::camel_words(&case.name));
                    let words = case.name.replace('-', " ");
                    quote!(Self::#rust => f.write_str(#words),)
                });
                quote!(match self { #(#arms)* })
            }
            TypeDefKind::Variant(variant) => {
                let arms = variant.cases.iter().map(|case| {
                    let rust = format_ident!("{}", super::names::camel_words(&case.name));
                    let words = case.name.replace('-', " ");
                    match &case.ty {
                        None => quote!(Self::#rust => f.write_str(#words),),
                        Some(ty) => {
                            let format = format!(
                                "{words}: {}",
                                if self.displays(ty) { "{}" } else { "{:?}" }
                            );
                            quote!(Self::#rust(payload) => ::core::write!(f, #format, payload),)
                        }
                    }
                });
                quote!(match self { #(#arms)* })
            }
            _ => quote!(::core::fmt::Debug::fmt(self, f)),
        };
        let items: [ItemImpl; 3] = [
            parse_quote! {
                impl ::core::fmt::Display for #ident {
                    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #body }
                }
            },
            parse_quote!(impl ::core::error::Error for #ident {}),
            parse_quote! {
                impl ::core::convert::From<#ident> for ::std::string::String {
                    fn from(error: #ident) -> Self { ::std::string::ToString::to_string(&error) }
                }
            },
        ];
        kept.extend(items.map(Item::Impl));
    }

    fn displays(&mut self, ty: &Type) -> bool {
        match ty {
            Type::Id(id) => {
                let id = super::traits::definition(self.resolve, *id);
                match &self.resolve.types[id].kind {
                    TypeDefKind::Type(ty) => self.displays(&ty.clone()),
                    _ => self.errors.contains(&id) && self.traits.of(id).debug,
                }
            }
            Type::ErrorContext => false,
            _ => true,
        }
    }
}

/// `a::b` and `C` → `a::b::C`.
pub(super) fn join(path: &[String], name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{}::{name}", path.join("::"))
    }
}

/// A `use` in place of an alias that only gives another name: the cases of an enum are reached through it
/// (`use Letter::*`), which an alias does not allow.
fn renamed(alias: &syn::ItemType) -> Option<Item> {
    let syn::Type::Path(target) = &*alias.ty else {
        return None;
    };
    let path = &target.path;
    let segments = &path.segments;
    let first = segments.first()?;
    let is_name = alias.generics.params.is_empty()
        && segments.len() > 1
        && first.ident != "_rt"
        && segments.iter().all(|segment| segment.arguments.is_none());
    if !is_name || segments.iter().any(|segment| segment.ident == "_rt") {
        return None;
    }
    let name = &alias.ident;
    let here = ["super", "self", "crate"]
        .iter()
        .any(|word| first.ident == word);
    Some(if here {
        parse_quote!(pub use #path as #name;)
    } else {
        parse_quote!(pub use self::#path as #name;)
    })
}

/// The second group of `(pattern) => (body);`.
fn macro_body(tokens: TokenStream) -> Option<TokenStream> {
    tokens
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        })
        .nth(1)
}

/// The name behind `struct` in the generator's `bitflags!` call.
fn struct_name(tokens: &TokenStream) -> Option<String> {
    let mut tokens = tokens.clone().into_iter();
    tokens
        .by_ref()
        .find(|token| matches!(token, TokenTree::Ident(ident) if ident == "struct"))?;
    tokens.next().map(|name| name.to_string())
}

/// `pub use __export_…`: left over once the macros are gone.
fn exports_macro(item: &syn::ItemUse) -> bool {
    let first = match &item.tree {
        syn::UseTree::Name(name) => &name.ident,
        syn::UseTree::Rename(rename) => &rename.ident,
        syn::UseTree::Path(path) => &path.ident,
        _ => return false,
    };
    first.to_string().starts_with("__export_")
}

/// Replaces `$ty` and `$($path_to_types)*` in the body of an export macro.
pub(super) fn instantiate(body: TokenStream, ty: &TokenStream, types: &TokenStream) -> TokenStream {
    let mut out = Vec::new();
    let mut tokens = body.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match tokens.next() {
                Some(TokenTree::Ident(_)) => out.extend(ty.clone()),
                Some(TokenTree::Group(_)) => {
                    // The `*` of the repetition.
                    tokens.next();
                    out.extend(types.clone());
                }
                other => out.extend(other),
            },
            TokenTree::Group(group) => {
                let mut inner = proc_macro2::Group::new(
                    group.delimiter(),
                    instantiate(group.stream(), ty, types),
                );
                inner.set_span(group.span());
                out.push(TokenTree::Group(inner));
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// The Rust name of a named type.
pub(super) fn type_name(resolve: &Resolve, id: TypeId) -> String {
    camel(resolve.types[id].name.as_deref().unwrap_or_default())
}

/// The generator's own docs are long and tell the snippet nothing.
struct DropDocs;

impl VisitMut for DropDocs {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| {
            !attribute.path().is_ident("doc") || matches!(&attribute.meta, syn::Meta::List(_))
        });
    }
}

/// `_resource_rep` of a resource's trait turns a number into a pointer and has a body that an implementation could
/// replace without a word of `unsafe`. Declared `unsafe`, neither can be written in a snippet.
struct UnsafeRep;

impl VisitMut for UnsafeRep {
    fn visit_signature_mut(&mut self, signature: &mut Signature) {
        if signature.ident == "_resource_rep" {
            signature.unsafety = Some(Default::default());
        }
        visit_mut::visit_signature_mut(self, signature);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let Expr::Call(call) = expression else { return };
        let Expr::Path(function) = &*call.func else {
            return;
        };
        if function
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident == "_resource_rep")
        {
            *expression = parse_quote!((unsafe { #call }));
        }
    }
}
