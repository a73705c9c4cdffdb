//! What a text defines: as items of a module, or as statements of a body. Parsed by syn, after the screens.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;

/// What the parser made of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Parses as items of a module.
    pub(super) items: bool,
    /// Parses as statements of a block.
    pub(super) body: bool,
    /// Statements that are items and nothing else: their value is `()`.
    pub(super) only_items: bool,
    /// Items, and calls of macros that stand among them and write functions: as statements they would do nothing.
    pub(super) written_by_macros: bool,
    /// Functions by their path in the text: `run`, `i::run`.
    pub(super) functions: BTreeSet<String>,
    /// Functions in an `impl` of a type: the function's name and the type as written.
    pub(super) methods: Vec<(String, String)>,
    /// Modules at the top.
    pub(super) modules: BTreeSet<String>,
    /// `impl` blocks of traits: the trait's last name, module path, self type, whether it has parameters of its own.
    pub(super) implementations: Vec<Implementation>,
    /// Names that top items define.
    pub(super) names: BTreeSet<String>,
    /// Whether items come from a macro call or a glob, so that the list of names is not complete.
    pub(super) open: bool,
    /// Why it parses as neither; the error that came later in the text.
    pub(super) error: Option<SyntaxError>,
}

/// An `impl Trait for Type`.
#[derive(Clone, Debug)]
pub(super) struct Implementation {
    /// Last name of the trait.
    pub(super) trait_name: String,
    /// The trait as written.
    pub(super) trait_path: String,
    /// Modules around it.
    pub(super) modules: Vec<String>,
    /// The type as written.
    pub(super) self_type: String,
    /// Whether the `impl` or the type has lifetimes or type parameters.
    pub(super) generic: bool,
    /// Byte range of the type.
    pub(super) range: std::ops::Range<usize>,
}

impl Implementation {
    /// The type's path as seen from the snippet's module.
    pub(super) fn path(&self) -> String {
        let mut modules = self.modules.clone();
        let mut rest = self.self_type.as_str();
        loop {
            if let Some(inner) = rest.strip_prefix("super::") {
                // At the top there is nothing to leave; rustc says so.
                if modules.pop().is_none() {
                    break;
                }
                rest = inner;
            } else if let Some(inner) = rest.strip_prefix("self::") {
                rest = inner;
            } else {
                break;
            }
        }
        if let Some(own) = rest.strip_prefix("crate::") {
            return own.strip_prefix("snippet::").unwrap_or(own).to_owned();
        }
        modules.push(rest.to_owned());
        modules.join("::")
    }
}

/// syn's error.
#[derive(Clone, Debug)]
pub(super) struct SyntaxError {
    pub(super) message: String,
    pub(super) range: std::ops::Range<usize>,
    /// Whether the text just ends too early.
    pub(super) at_end: bool,
}

/// Parses a text that has passed the screens.
pub(super) fn outline(text: &str, stream: &TokenStream) -> Outline {
    let mut outline = Outline::default();
    let file = syn::parse2::<syn::File>(stream.clone());
    let block = syn::Block::parse_within.parse2(stream.clone());
    if let Ok(file) = &file {
        outline.items = true;
        outline.written_by_macros = written_by_macros(&file.items);
        walk(&file.items, &mut Vec::new(), &mut outline);
    }
    if let Ok(statements) = &block {
        outline.body = true;
        outline.only_items = statements
            .iter()
            .all(|statement| matches!(statement, syn::Stmt::Item(item) if !is_macro_call(item)));
        if !outline.items {
            for statement in statements {
                if let syn::Stmt::Item(item) = statement {
                    outline.names.extend(name(item));
                }
            }
        }
    }
    if let (Err(first), Err(second)) = (&file, &block) {
        let (first, second) = (syntax_error(text, first), syntax_error(text, second));
        outline.error = Some(if second.range.start >= first.range.start {
            second
        } else {
            first
        });
    }
    outline
}

fn syntax_error(text: &str, error: &syn::Error) -> SyntaxError {
    let message = error.to_string();
    let end = text.trim_end().len();
    let at_end = message.starts_with("unexpected end of input");
    let mut range = error.span().byte_range();
    // An error at the end of a group has the span of its closing delimiter; at the end of all it has none.
    let at_end = at_end && (range.is_empty() || range.start >= end);
    if at_end || range.end > text.len() {
        range = end..end;
    }
    SyntaxError {
        message,
        range,
        at_end,
    }
}

fn is_macro_call(item: &syn::Item) -> bool {
    matches!(item, syn::Item::Macro(item) if item.ident.is_none())
}

/// Whether there are macro calls among items, each of a macro that is defined among them with a `fn` in it.
fn written_by_macros(items: &[syn::Item]) -> bool {
    let mut calls = 0;
    let mut macros = BTreeSet::new();
    for item in items {
        let syn::Item::Macro(item) = item else {
            continue;
        };
        match &item.ident {
            Some(name) if has_function(item.mac.tokens.clone()) => {
                macros.insert(name.to_string());
            }
            Some(_) => {}
            None => calls += 1,
        }
    }
    let known = |item: &syn::Item| match item {
        syn::Item::Macro(item) if item.ident.is_none() => {
            let name = item.mac.path.get_ident();
            name.is_some_and(|name| macros.contains(&name.to_string()))
        }
        _ => true,
    };
    calls > 0 && items.iter().all(known)
}

/// Whether a function is defined somewhere in a stream.
fn has_function(tokens: TokenStream) -> bool {
    let mut open = vec![tokens.into_iter()];
    while let Some(tokens) = open.last_mut() {
        match tokens.next() {
            Some(proc_macro2::TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(proc_macro2::TokenTree::Ident(name)) if name == "fn" => return true,
            Some(_) => {}
            None => drop(open.pop()),
        }
    }
    false
}

fn walk(items: &[syn::Item], modules: &mut Vec<String>, outline: &mut Outline) {
    for item in items {
        if modules.is_empty() {
            outline.names.extend(name(item));
        }
        match item {
            syn::Item::Fn(function) => {
                outline
                    .functions
                    .insert(path(modules, &function.sig.ident.to_string()));
            }
            syn::Item::Use(item) => {
                outline.open |= is_own_glob(&item.tree);
                imported(&item.tree, modules, outline);
            }
            syn::Item::Mod(module) => {
                if modules.is_empty() {
                    outline.modules.insert(plain(&module.ident));
                }
                if let Some((_, items)) = &module.content {
                    modules.push(module.ident.to_string());
                    walk(items, modules, outline);
                    modules.pop();
                }
            }
            syn::Item::Impl(item) => implementation(item, modules, outline),
            item if is_macro_call(item) => outline.open = true,
            _ => {}
        }
    }
}

fn implementation(item: &syn::ItemImpl, modules: &[String], outline: &mut Outline) {
    let Some((None, trait_path, _)) = &item.trait_ else {
        let of = compact(item.self_ty.to_token_stream());
        for own in &item.items {
            if let syn::ImplItem::Fn(function) = own {
                let name = plain(&function.sig.ident);
                outline.methods.push((name, of.clone()));
            }
        }
        return;
    };
    let Some(last) = trait_path.segments.last() else {
        return;
    };
    let mut self_type = item.self_ty.as_ref();
    while let syn::Type::Paren(inner) = self_type {
        self_type = &inner.elem;
    }
    let arguments = match self_type {
        syn::Type::Path(path) => path
            .path
            .segments
            .iter()
            .any(|segment| !segment.arguments.is_none()),
        _ => false,
    };
    outline.implementations.push(Implementation {
        trait_name: plain(&last.ident),
        trait_path: compact(trait_path.to_token_stream()),
        modules: modules.to_vec(),
        self_type: compact(self_type.to_token_stream()),
        generic: arguments || !item.generics.params.is_empty(),
        range: syn::spanned::Spanned::span(self_type).byte_range(),
    });
}

/// A type's text as people write it: quote puts blanks around `::` and `<`.
fn compact(tokens: TokenStream) -> String {
    tokens
        .to_string()
        .replace(" :: ", "::")
        .replace(":: ", "::")
        .replace(" < ", "<")
        .replace(" >", ">")
}

fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").unwrap_or(&text).to_owned()
}

fn path(modules: &[String], name: &str) -> String {
    let mut path = String::new();
    for part in modules.iter().map(String::as_str).chain([name]) {
        if !path.is_empty() {
            path.push_str("::");
        }
        path.push_str(part.strip_prefix("r#").unwrap_or(part));
    }
    path
}

/// A `use` can bring in a function of a module of the snippet under the name that is asked for.
fn imported(tree: &syn::UseTree, modules: &[String], outline: &mut Outline) {
    match tree {
        syn::UseTree::Path(inner) => imported(&inner.tree, modules, outline),
        syn::UseTree::Name(name) => {
            outline
                .functions
                .insert(path(modules, &name.ident.to_string()));
        }
        syn::UseTree::Rename(name) => {
            outline
                .functions
                .insert(path(modules, &name.rename.to_string()));
        }
        syn::UseTree::Glob(_) => {}
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                imported(tree, modules, outline);
            }
        }
    }
}

fn name(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Mod(item) => &item.ident,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::TraitAlias(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(plain(ident))
}

/// Whether a `use` takes everything from somewhere that may be a module of the snippet.
fn is_own_glob(tree: &syn::UseTree) -> bool {
    let syn::UseTree::Path(path) = tree else {
        return false;
    };
    let foreign = ["std", "core", "alloc", "super"];
    !foreign.iter().any(|name| path.ident == name) && has_glob(&path.tree)
}

fn has_glob(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Path(path) => has_glob(&path.tree),
        syn::UseTree::Glob(_) => true,
        syn::UseTree::Group(group) => group.items.iter().any(has_glob),
        _ => false,
    }
}
