//! The scope as Rust text for the prompt, in the order of the WIT, with its docs as data.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use syn::{Fields, TraitItem};
use wit_parser::{
    Docs, Function, Handle, Resolve, Type, TypeDefKind, TypeId, WorldId, WorldItem, WorldKey,
};

use super::glue::declaration;
use super::layout::{Kind, Layout, Style, parent};
use super::names::{self, Group};
use super::seal::{Sealed, Shape, join};
use super::traits::TraitTable;
use super::{ScopeExport, Surface};

/// Most bytes of one doc comment that reach a prompt.
const DOC_BYTES: usize = 2048;

/// All that the surface is made from.
pub(super) struct Source<'a> {
    pub(super) resolve: &'a Resolve,
    pub(super) world: WorldId,
    pub(super) groups: &'a [Group],
    pub(super) sealed: &'a Sealed,
    pub(super) layout: &'a Layout,
    /// Path of a type in the generated code → WIT.
    pub(super) ids: &'a BTreeMap<String, TypeId>,
}

/// Writes the surface.
pub(super) fn surface(source: &Source<'_>, exports: &mut [ScopeExport]) -> Surface {
    let used = source.used();
    let mut types = String::new();
    let mut derives = TraitTable::new(source.resolve);
    let mut printed = BTreeSet::new();
    for entry in source
        .layout
        .top
        .iter()
        .filter(|entry| entry.kind == Kind::Type)
    {
        let at = source.layout.definition(&entry.at);
        let alias = at != entry.at && source.layout.home(&at) != Some(entry.name.as_str());
        if alias {
            let _ = writeln!(
                types,
                "pub type {} = {};",
                entry.name,
                source.layout.home(&at).unwrap_or(&at)
            );
        } else if source.shown(&at, &used) && printed.insert(at.clone()) {
            source.definition(&mut types, &at, None, "", &mut derives);
        }
    }
    let mut imports = String::new();
    for (key, item) in &source.resolve.worlds[source.world].imports {
        if let (WorldKey::Name(wit), WorldItem::Function(function)) = (key, item) {
            source.function(&mut imports, function, &names::snake(wit), None, "");
        }
    }
    for group in source.groups {
        let mut inner = String::new();
        let mut uses = Vec::new();
        let Some((_, entries)) = source
            .layout
            .modules
            .iter()
            .find(|(name, _)| *name == group.module)
        else {
            continue;
        };
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Type) {
            let at = source.layout.definition(&entry.at);
            if !source.shown(&at, &used) {
                continue;
            }
            let home = source.layout.home(&at).unwrap_or_default();
            if home == format!("{}::{}", group.module, entry.name) {
                if printed.insert(at.clone()) {
                    source.definition(&mut inner, &at, Some(&group.module), "    ", &mut derives);
                }
            } else {
                let renamed = if home.ends_with(&entry.name) {
                    String::new()
                } else {
                    format!(" as {}", entry.name)
                };
                uses.push(format!("    pub use super::{home}{renamed};\n"));
            }
        }
        let interface = &source.resolve.interfaces[group.id];
        if group.exported {
            if !inner.is_empty() {
                let _ = writeln!(types, "pub mod {} {{\n{inner}}}", group.module);
            }
            continue;
        }
        for function in interface
            .functions
            .values()
            .filter(|function| function.kind.resource().is_none())
        {
            let at = join(&group.path, &names::snake(function.item_name()));
            source.function(&mut inner, function, &at, Some(&group.module), "    ");
        }
        if inner.is_empty() {
            continue;
        }
        let uses = if interface.functions.is_empty() {
            String::new()
        } else {
            uses.concat()
        };
        docs(&mut imports, &interface.docs, "");
        let _ = writeln!(imports, "pub mod {} {{\n{uses}{inner}}}", group.module);
    }
    Surface {
        exports: source.exports(exports),
        types,
        imports,
    }
}

impl Source<'_> {
    /// Definitions that a function of the scope mentions, and the types of the world.
    fn used(&self) -> BTreeSet<TypeId> {
        let mut used = BTreeSet::new();
        let world = &self.resolve.worlds[self.world];
        for item in world.imports.values().chain(world.exports.values()) {
            match item {
                WorldItem::Function(function) => self.use_function(function, &mut used),
                WorldItem::Interface { id, .. } => {
                    for function in self.resolve.interfaces[*id].functions.values() {
                        self.use_function(function, &mut used);
                    }
                }
                WorldItem::Type { id, .. } => self.use_type(&Type::Id(*id), &mut used),
            }
        }
        for group in self.groups.iter().filter(|group| group.exported) {
            for id in self.resolve.interfaces[group.id].types.values() {
                self.use_type(&Type::Id(*id), &mut used);
            }
        }
        used
    }

    fn use_function(&self, function: &Function, used: &mut BTreeSet<TypeId>) {
        for parameter in &function.params {
            self.use_type(&parameter.ty, used);
        }
        if let Some(result) = &function.result {
            self.use_type(result, used);
        }
        if let Some(resource) = function.kind.resource() {
            self.use_type(&Type::Id(resource), used);
        }
    }

    fn use_type(&self, ty: &Type, used: &mut BTreeSet<TypeId>) {
        let Type::Id(id) = ty else { return };
        if !used.insert(*id) {
            return;
        }
        match &self.resolve.types[*id].kind {
            TypeDefKind::Type(ty) | TypeDefKind::Option(ty) | TypeDefKind::List(ty) => {
                self.use_type(ty, used)
            }
            TypeDefKind::Handle(Handle::Own(id) | Handle::Borrow(id)) => {
                self.use_type(&Type::Id(*id), used)
            }
            TypeDefKind::Tuple(tuple) => tuple.types.iter().for_each(|ty| self.use_type(ty, used)),
            TypeDefKind::Record(record) => record
                .fields
                .iter()
                .for_each(|field| self.use_type(&field.ty, used)),
            TypeDefKind::Variant(variant) => {
                variant
                    .cases
                    .iter()
                    .filter_map(|case| case.ty.as_ref())
                    .for_each(|ty| self.use_type(ty, used));
            }
            TypeDefKind::Result(result) => {
                result
                    .ok
                    .iter()
                    .chain(result.err.iter())
                    .for_each(|ty| self.use_type(ty, used));
            }
            _ => {}
        }
    }

    fn shown(&self, at: &str, used: &BTreeSet<TypeId>) -> bool {
        self.ids.get(at).is_some_and(|id| used.contains(id))
    }

    /// One type with its docs.
    fn definition(
        &self,
        out: &mut String,
        at: &str,
        module: Option<&str>,
        indent: &str,
        derives: &mut TraitTable<'_>,
    ) {
        let (Some(shape), Some(id)) = (self.sealed.types.get(at), self.ids.get(at)) else {
            return;
        };
        let def = &self.resolve.types[*id];
        let inside = parent(at);
        let style = Style::Snippet(module);
        let name = self
            .layout
            .home(at)
            .and_then(|home| home.rsplit("::").next())
            .unwrap_or(at);
        docs(out, &def.docs, indent);
        if matches!(shape, Shape::Struct(_) | Shape::Enum(_) | Shape::Flags) {
            let names = derives.of(*id).derives();
            if !names.is_empty() {
                let _ = writeln!(out, "{indent}#[derive({})]", names.join(", "));
            }
        }
        match shape {
            Shape::Struct(item) => {
                let lifetime = if item.generics.params.is_empty() {
                    ""
                } else {
                    "<'a>"
                };
                let _ = writeln!(out, "{indent}pub struct {name}{lifetime} {{");
                if let TypeDefKind::Record(record) = &def.kind {
                    for (field, wit) in item.fields.iter().zip(&record.fields) {
                        docs(out, &wit.docs, &format!("{indent}    "));
                        let ty = self.layout.write(&field.ty, &inside, style);
                        let field = names::in_snippet(&names::snake(&wit.name));
                        let _ = writeln!(out, "{indent}    pub {field}: {ty},");
                    }
                }
                let _ = writeln!(out, "{indent}}}");
            }
            Shape::Enum(item) => {
                let lifetime = if item.generics.params.is_empty() {
                    ""
                } else {
                    "<'a>"
                };
                let _ = writeln!(out, "{indent}pub enum {name}{lifetime} {{");
                let comments: Vec<&Docs> = match &def.kind {
                    TypeDefKind::Variant(variant) => {
                        variant.cases.iter().map(|case| &case.docs).collect()
                    }
                    TypeDefKind::Enum(cases) => cases.cases.iter().map(|case| &case.docs).collect(),
                    _ => Vec::new(),
                };
                for (variant, comment) in item.variants.iter().zip(comments) {
                    docs(out, comment, &format!("{indent}    "));
                    let payload = match &variant.fields {
                        Fields::Unnamed(fields) => fields.unnamed.first().map(|field| {
                            format!("({})", self.layout.write(&field.ty, &inside, style))
                        }),
                        _ => None,
                    };
                    let _ = writeln!(
                        out,
                        "{indent}    {}{},",
                        variant.ident,
                        payload.unwrap_or_default()
                    );
                }
                let _ = writeln!(out, "{indent}}}");
            }
            Shape::Alias(target) => {
                let target = self.layout.write(target, &inside, style);
                let _ = writeln!(out, "{indent}pub type {name} = {target};");
            }
            Shape::Flags => {
                let _ = writeln!(
                    out,
                    "{indent}pub struct {name}; // a set: `|`, `.contains(…)`, `empty()`, `all()`"
                );
                let _ = writeln!(out, "{indent}impl {name} {{");
                if let TypeDefKind::Flags(flags) = &def.kind {
                    for flag in &flags.flags {
                        docs(out, &flag.docs, &format!("{indent}    "));
                        let _ = writeln!(
                            out,
                            "{indent}    pub const {}: Self;",
                            names::shouty(&flag.name)
                        );
                    }
                }
                let _ = writeln!(out, "{indent}}}");
            }
            Shape::Handle => {
                let _ = writeln!(out, "{indent}pub struct {name}; // a handle");
                self.methods(out, at, *id, name, module, indent);
            }
        }
    }

    /// Methods of an imported resource, or what an exported one's handle offers.
    fn methods(
        &self,
        out: &mut String,
        at: &str,
        id: TypeId,
        name: &str,
        module: Option<&str>,
        indent: &str,
    ) {
        let inside = parent(at);
        let Some(group) = self.groups.iter().find(|group| group.path == inside) else {
            return;
        };
        if group.exported {
            let _ = writeln!(
                out,
                "{indent}impl {name} {{ pub fn new<T: Guest{name}>(it: T) -> Self; pub fn get<T: Guest{name}>(&self) -> &T; }}\n\
                 {indent}pub struct {name}Borrow<'a>; // a borrowed handle: `.get::<T>()` gives `&'a T`"
            );
            return;
        }
        let mut methods = String::new();
        for function in self.resolve.interfaces[group.id].functions.values() {
            if function.kind.resource() == Some(id) {
                let rust = rust_name(function);
                self.function(
                    &mut methods,
                    function,
                    &format!("{at}::{rust}"),
                    module,
                    &format!("{indent}    "),
                );
            }
        }
        if !methods.is_empty() {
            let _ = writeln!(out, "{indent}impl {name} {{\n{methods}{indent}}}");
        }
    }

    /// One imported function as a declaration.
    fn function(
        &self,
        out: &mut String,
        function: &Function,
        at: &str,
        module: Option<&str>,
        indent: &str,
    ) {
        let Some(signature) = self.sealed.functions.get(at) else {
            return;
        };
        docs(out, &function.docs, indent);
        let inside = self.module_of(at, function);
        let name = names::in_snippet(&signature.ident.to_string());
        let text = declaration(
            self.layout,
            signature,
            &inside,
            Style::Snippet(module),
            &name,
        );
        let _ = writeln!(out, "{indent}pub {text};");
    }

    /// The generated module that the types of a function's signature are relative to.
    fn module_of(&self, at: &str, function: &Function) -> Vec<String> {
        let mut inside = parent(at);
        if function.kind.resource().is_some() {
            inside.pop();
        }
        inside
    }

    /// What must be written; also fills in `trait_text`.
    fn exports(&self, exports: &mut [ScopeExport]) -> String {
        let mut out = String::new();
        for export in exports {
            let mut inner = String::new();
            let indent = if export.module.is_some() { "    " } else { "" };
            for function in &export.functions {
                lines(&mut inner, &function.docs, indent);
                let _ = writeln!(inner, "{indent}pub {};", function.signature);
            }
            match &export.module {
                Some(module) if !inner.is_empty() => {
                    let _ = writeln!(out, "pub mod {module} {{\n{inner}}}");
                }
                _ => out.push_str(&inner),
            }
            let group = self
                .groups
                .iter()
                .find(|group| group.exported && Some(&group.name) == export.interface.as_ref());
            for resource in &mut export.resources {
                let Some(group) = group else { continue };
                resource.trait_text = self.guest(group, &resource.wit, export.module.as_deref());
                out.push_str(&resource.trait_text);
            }
        }
        out
    }

    /// The trait of an exported resource, as it is written in the module `inside` of the snippet.
    fn guest(&self, group: &Group, wit: &str, inside: Option<&str>) -> String {
        let interface = &self.resolve.interfaces[group.id];
        let name = format!("Guest{}", names::camel_words(wit));
        let mut out = String::new();
        let (Some(item), Some(id)) = (
            self.sealed.traits.get(&join(&group.path, &name)),
            interface.types.get(wit),
        ) else {
            return out;
        };
        docs(&mut out, &self.resolve.types[*id].docs, "");
        let _ = writeln!(out, "pub trait {name}: Sized + 'static {{");
        for function in interface
            .functions
            .values()
            .filter(|function| function.kind.resource() == Some(*id))
        {
            let rust = rust_name(function);
            let signature = item.items.iter().find_map(|item| match item {
                TraitItem::Fn(method) if method.sig.ident == rust => Some(&method.sig),
                _ => None,
            });
            if let Some(signature) = signature {
                docs(&mut out, &function.docs, "    ");
                let name = names::in_snippet(&rust);
                let text = declaration(
                    self.layout,
                    signature,
                    &group.path,
                    Style::Snippet(inside),
                    &name,
                );
                let _ = writeln!(out, "    {text};");
            }
        }
        out.push_str("}\n");
        out
    }
}

/// The Rust name of a function, without its resource.
pub(super) fn rust_name(function: &Function) -> String {
    match function.kind {
        wit_parser::FunctionKind::Constructor(_) => "new".to_owned(),
        _ => names::snake(function.item_name()),
    }
}

fn docs(out: &mut String, docs: &Docs, indent: &str) {
    if let Some(text) = &docs.contents {
        lines(out, text, indent);
    }
}

/// A doc comment as `///` lines: capped, with control and direction characters escaped.
fn lines(out: &mut String, text: &str, indent: &str) {
    for line in clean(text).lines() {
        let line = line.trim_end();
        let space = if line.is_empty() { "" } else { " " };
        let _ = writeln!(out, "{indent}///{space}{line}");
    }
}

/// Docs are text that others wrote: they must not be able to hide or reorder what the prompt says.
pub(super) fn clean(text: &str) -> String {
    let mut text = text.trim();
    let mut cut = false;
    if text.len() > DOC_BYTES {
        text = &text[..text.floor_char_boundary(DOC_BYTES)];
        cut = true;
    }
    let mut out = String::new();
    for character in text.chars() {
        let hidden = character.is_control() && character != '\n' && character != '\t'
            || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}');
        match character {
            '\r' => {}
            _ if hidden => {
                let _ = write!(out, "\\u{{{:x}}}", character as u32);
            }
            _ => out.push(character),
        }
    }
    if cut {
        out.push_str(" …");
    }
    out
}
