//! The cut world as core names: what a module of this scope may import, and what it exports. The linker is told the
//! exports, the link check compares both.

use std::collections::BTreeSet;

use wit_parser::{Function, InterfaceId, TypeDefKind, WorldItem};

use crate::scope::Scope;

/// Core names of one world, in the spelling that wit-bindgen and wit-component share.
#[derive(Debug)]
pub(crate) struct CoreNames {
    /// Module and name of every import that is granted: functions, and dropping handles of granted resource types.
    pub(crate) imports: BTreeSet<(String, String)>,
    /// Exports that the world asks for: functions.
    pub(crate) required: BTreeSet<String>,
    /// Exports that the canonical ABI has where a type needs them: clean-up after a result, destructors, allocation.
    pub(crate) optional: BTreeSet<String>,
    /// Those of both that the glue expands in the snippet's crate: functions of interfaces that export resources.
    pub(crate) in_snippet: BTreeSet<String>,
    /// Names of the component's exports.
    pub(crate) export_names: Vec<String>,
}

impl CoreNames {
    pub(crate) fn of(scope: &Scope) -> Self {
        let mut world = Self {
            imports: BTreeSet::new(),
            required: BTreeSet::new(),
            optional: ["memory", "cabi_realloc"].map(str::to_owned).into(),
            in_snippet: BTreeSet::new(),
            export_names: Vec::new(),
        };
        let declared = &scope.resolve.worlds[scope.world];
        for (key, item) in &declared.imports {
            match item {
                WorldItem::Interface { id, .. } => {
                    world.import_interface(scope, &scope.resolve.name_world_key(key), *id);
                }
                WorldItem::Function(function) => world.import("$root", &function.name),
                WorldItem::Type { .. } => {}
            }
        }
        for (key, item) in &declared.exports {
            let name = scope.resolve.name_world_key(key);
            match item {
                WorldItem::Interface { id, .. } => world.export_interface(scope, &name, *id),
                WorldItem::Function(function) => world.export(&function.name),
                WorldItem::Type { .. } => continue,
            }
            world.export_names.push(name);
        }
        world
    }

    /// Whether an export of this name belongs to the world.
    pub(crate) fn exports(&self, name: &str) -> bool {
        self.required.contains(name) || self.optional.contains(name)
    }

    fn import_interface(&mut self, scope: &Scope, module: &str, id: InterfaceId) {
        for name in functions(scope, id).map(|function| &function.name) {
            self.import(module, name);
        }
        for resource in resources(scope, id) {
            self.import(module, &format!("[resource-drop]{resource}"));
        }
    }

    fn export_interface(&mut self, scope: &Scope, name: &str, id: InterfaceId) {
        let generic = resources(scope, id).next().is_some();
        for function in functions(scope, id) {
            let name = format!("{name}#{}", function.name);
            self.export(&name);
            if generic {
                self.in_snippet.insert(format!("cabi_post_{name}"));
                self.in_snippet.insert(name);
            }
        }
        for resource in resources(scope, id) {
            let destructor = format!("{name}#[dtor]{resource}");
            self.in_snippet.insert(destructor.clone());
            self.optional.insert(destructor);
            let module = format!("[export]{name}");
            for intrinsic in ["resource-new", "resource-rep", "resource-drop"] {
                self.import(&module, &format!("[{intrinsic}]{resource}"));
            }
        }
    }

    fn import(&mut self, module: &str, name: &str) {
        self.imports.insert((module.to_owned(), name.to_owned()));
    }

    fn export(&mut self, name: &str) {
        self.required.insert(name.to_owned());
        self.optional.insert(format!("cabi_post_{name}"));
    }
}

fn functions(scope: &Scope, id: InterfaceId) -> impl Iterator<Item = &Function> {
    scope.resolve.interfaces[id].functions.values()
}

fn resources(scope: &Scope, id: InterfaceId) -> impl Iterator<Item = &str> {
    scope.resolve.interfaces[id]
        .types
        .iter()
        .filter(|(_, id)| matches!(scope.resolve.types[**id].kind, TypeDefKind::Resource))
        .map(|(name, _)| name.as_str())
}
