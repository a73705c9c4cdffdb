//! Which names the snippet sees and where each of them stands in the generated code.

use std::collections::{BTreeMap, BTreeSet};

use syn::{GenericArgument, PathArguments};
use wit_parser::{Resolve, TypeDefKind, WorldId, WorldItem, WorldKey};

use super::names::{self, Group};
use super::seal::{Sealed, Shape, join};
use crate::toolchain::BINDINGS_CRATE;

/// What stands at the top level of the scope and in each of its modules.
#[derive(Default)]
pub(super) struct Layout {
    /// Types of the world and functions of the world, then types of interfaces whose name is unique, those of the
    /// plan's own package before others.
    pub(super) top: Vec<Entry>,
    /// Module name and its entries, in the order of the world.
    pub(super) modules: Vec<(String, Vec<Entry>)>,
    /// Path in the generated code of a definition → path in the scope.
    homes: BTreeMap<String, String>,
    /// Path in the generated code of an alias → what it stands for.
    aliases: BTreeMap<String, String>,
}

/// One name of the scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// As the snippet writes it.
    pub(super) name: String,
    /// Path in the generated code.
    pub(super) at: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    Trait,
    Function,
}

/// How a type is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style<'a> {
    /// As in the snippet's top level, or in the module of the scope with this name.
    Snippet(Option<&'a str>),
    /// In any crate and any module: `::__lacuna_bindings::scope::…`.
    Absolute,
    /// In a macro of the bindings: `$crate::scope::…`.
    Macro,
    /// In the bindings crate.
    Inside,
}

/// Lays out the scope.
pub(super) fn layout(
    resolve: &Resolve,
    world: WorldId,
    groups: &[Group],
    sealed: &Sealed,
) -> Layout {
    let mut layout = Layout::default();
    for (at, shape) in &sealed.types {
        if let Shape::Alias(syn::Type::Path(target)) = shape {
            let module = parent(at);
            let target = absolute(&module, &target.path);
            if sealed.types.contains_key(&target) {
                layout.aliases.insert(at.clone(), target);
            }
        }
    }
    for (wit, _) in names::world_types(resolve, world) {
        let at = names::camel(&wit);
        layout.top.push(Entry {
            name: at.clone(),
            at,
            kind: Kind::Type,
        });
    }
    for (key, item) in &resolve.worlds[world].imports {
        if let (WorldKey::Name(wit), WorldItem::Function(_)) = (key, item) {
            let at = names::snake(wit);
            layout.top.push(Entry {
                name: names::in_snippet(&at),
                at,
                kind: Kind::Function,
            });
        }
    }
    let mut with_functions = BTreeSet::new();
    let mut own = BTreeSet::new();
    for group in groups {
        let interface = &resolve.interfaces[group.id];
        let mut entries = Vec::new();
        let mut push = |name: String, kind| {
            let at = join(&group.path, &name);
            let known = match kind {
                Kind::Type => sealed.types.contains_key(&at),
                Kind::Trait => sealed.traits.contains_key(&at),
                Kind::Function => sealed.functions.contains_key(&at),
            };
            if known {
                entries.push(Entry {
                    name: names::in_snippet(&name),
                    at,
                    kind,
                });
            }
        };
        for (wit, _) in &interface.types {
            let name = names::camel(wit);
            push(name.clone(), Kind::Type);
            push(format!("{name}Borrow"), Kind::Type);
            if group.exported
                && matches!(
                    resolve.types[interface.types[wit]].kind,
                    TypeDefKind::Resource
                )
            {
                push(format!("Guest{}", names::camel_words(wit)), Kind::Trait);
            }
        }
        entries.dedup();
        if !group.exported {
            for function in interface
                .functions
                .values()
                .filter(|function| function.kind.resource().is_none())
            {
                entries.push(Entry {
                    name: names::in_snippet(&names::snake(function.item_name())),
                    at: join(&group.path, &names::snake(function.item_name())),
                    kind: Kind::Function,
                });
            }
        }
        if !interface.functions.is_empty() {
            with_functions.insert(group.module.clone());
        }
        // The types of a tool are written behind its name, as its functions are. A named import is a copy that stands in
        // the world itself, whoever wrote its interface.
        if interface.functions.is_empty()
            && matches!(group.key, WorldKey::Interface(_))
            && interface.package == resolve.worlds[world].package
        {
            own.insert(group.module.clone());
        }
        layout.modules.push((group.module.clone(), entries));
    }
    layout.lift_unique_names(&own);
    layout.settle_homes(&with_functions);
    layout
}

impl Layout {
    /// Puts types of interfaces at the top level too where that is unambiguous: models write `Entry`, not
    /// `repo::Entry`. `own` are the modules of the plan's package that hold types alone: whoever wrote the task means
    /// them by their names, so they come before those that a granted interface brings.
    fn lift_unique_names(&mut self, own: &BTreeSet<String>) {
        let mut lifted: BTreeMap<String, String> = BTreeMap::new();
        let taken: BTreeSet<&str> = self.top.iter().map(|entry| entry.name.as_str()).collect();
        for only_own in [true, false] {
            let types: Vec<&Entry> = self
                .modules
                .iter()
                .filter(|(module, _)| !only_own || own.contains(module))
                .flat_map(|(_, entries)| entries)
                .filter(|entry| entry.kind != Kind::Function)
                .collect();
            let mut meanings: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
            for entry in &types {
                let definition = self.definition(&entry.at);
                meanings.entry(&entry.name).or_default().insert(definition);
            }
            for entry in types {
                let name = entry.name.as_str();
                if meanings[name].len() == 1
                    && !taken.contains(name)
                    && names::may_stand_bare(name, only_own)
                {
                    lifted
                        .entry(entry.name.clone())
                        .or_insert_with(|| entry.at.clone());
                }
            }
        }
        // In the order of the world, whichever rule has lifted them.
        let lower = self.modules.iter().flat_map(|(_, entries)| entries);
        let lifted: Vec<Entry> = lower
            .filter(|entry| entry.kind != Kind::Function)
            .filter(|entry| lifted.get(&entry.name) == Some(&entry.at))
            .cloned()
            .collect();
        self.top.extend(lifted);
    }

    fn settle_homes(&mut self, with_functions: &BTreeSet<String>) {
        let mut homes = BTreeMap::new();
        for entry in &self.top {
            homes
                .entry(self.definition(&entry.at))
                .or_insert_with(|| entry.name.clone());
        }
        for wanted in [true, false] {
            for (module, entries) in self
                .modules
                .iter()
                .filter(|(module, _)| with_functions.contains(module) == wanted)
            {
                for entry in entries {
                    homes
                        .entry(self.definition(&entry.at))
                        .or_insert_with(|| format!("{module}::{}", entry.name));
                }
            }
        }
        self.homes = homes;
    }

    /// Follows aliases and `use`.
    pub(super) fn definition(&self, at: &str) -> String {
        let mut at = at;
        while let Some(target) = self.aliases.get(at) {
            at = target;
        }
        at.to_owned()
    }

    /// Where the definition behind `at` stands in the scope.
    pub(super) fn home(&self, at: &str) -> Option<&str> {
        self.homes.get(&self.definition(at)).map(String::as_str)
    }

    /// Writes a type of the generated module `module` in `style`.
    pub(super) fn write(&self, ty: &syn::Type, module: &[String], style: Style<'_>) -> String {
        match ty {
            syn::Type::Path(path) => self.write_path(&path.path, module, style),
            syn::Type::Reference(reference) => {
                let lifetime = match &reference.lifetime {
                    Some(lifetime) if lifetime.ident != "_" => format!("{lifetime} "),
                    _ => String::new(),
                };
                format!("&{lifetime}{}", self.write(&reference.elem, module, style))
            }
            syn::Type::Slice(slice) => format!("[{}]", self.write(&slice.elem, module, style)),
            syn::Type::Paren(inner) => self.write(&inner.elem, module, style),
            syn::Type::Group(inner) => self.write(&inner.elem, module, style),
            syn::Type::Tuple(tuple) => {
                let elements: Vec<_> = tuple
                    .elems
                    .iter()
                    .map(|ty| self.write(ty, module, style))
                    .collect();
                match elements.as_slice() {
                    [one] => format!("({one},)"),
                    many => format!("({})", many.join(", ")),
                }
            }
            other => quote::quote!(#other).to_string(),
        }
    }

    fn write_path(&self, path: &syn::Path, module: &[String], style: Style<'_>) -> String {
        let Some(last) = path.segments.last() else {
            return String::new();
        };
        let arguments = self.write_arguments(&last.arguments, module, style);
        let at = absolute(module, path);
        let definition = self.definition(&at);
        let name = if let Some(home) = self.homes.get(&definition) {
            match style {
                Style::Snippet(None) => home.clone(),
                Style::Snippet(Some(inner)) => match home
                    .strip_prefix(inner)
                    .and_then(|rest| rest.strip_prefix("::"))
                {
                    Some(rest) => rest.to_owned(),
                    None => self
                        .name_in(inner, &definition)
                        .unwrap_or_else(|| home.clone()),
                },
                Style::Absolute => format!("::{BINDINGS_CRATE}::scope::{home}"),
                Style::Macro => format!("$crate::scope::{home}"),
                Style::Inside => format!("crate::generated::{definition}"),
            }
        } else {
            let name = last.ident.to_string();
            let standard = match name.as_str() {
                "String" => "::std::string::",
                "Vec" => "::std::vec::",
                "Box" => "::std::boxed::",
                "Option" => "::std::option::",
                "Result" => "::std::result::",
                _ => "",
            };
            match style {
                Style::Snippet(_) => name,
                _ => format!("{standard}{name}"),
            }
        };
        format!("{name}{arguments}")
    }

    /// The name that a module of the scope has for a definition.
    pub(super) fn name_in(&self, module: &str, definition: &str) -> Option<String> {
        let (_, entries) = self.modules.iter().find(|(name, _)| name == module)?;
        let entry = entries
            .iter()
            .find(|entry| self.definition(&entry.at) == definition)?;
        Some(entry.name.clone())
    }

    fn write_arguments(
        &self,
        arguments: &PathArguments,
        module: &[String],
        style: Style<'_>,
    ) -> String {
        let PathArguments::AngleBracketed(arguments) = arguments else {
            return String::new();
        };
        let written: Vec<_> = arguments
            .args
            .iter()
            .map(|argument| match argument {
                GenericArgument::Type(ty) => self.write(ty, module, style),
                GenericArgument::Lifetime(lifetime) => lifetime.to_string(),
                other => quote::quote!(#other).to_string(),
            })
            .collect();
        if written.is_empty() {
            String::new()
        } else {
            format!("<{}>", written.join(", "))
        }
    }
}

/// The module part of a path.
pub(super) fn parent(at: &str) -> Vec<String> {
    let mut path: Vec<String> = at.split("::").map(str::to_owned).collect();
    path.pop();
    path
}

/// A path as written in `module`, from the root of the generated code.
fn absolute(module: &[String], path: &syn::Path) -> String {
    let mut at: Vec<String> = module.to_vec();
    for segment in &path.segments {
        if segment.ident == "super" {
            at.pop();
        } else {
            at.push(segment.ident.to_string());
        }
    }
    at.join("::")
}
