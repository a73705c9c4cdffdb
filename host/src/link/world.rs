//! The cut world as core names: what a module of this scope may import, and what it exports.

use std::collections::BTreeSet;

use wit_parser::{Function, InterfaceId, TypeDefKind, WorldItem};

use crate::scope::Scope;

/// Core names of one world, in the spelling that wit-bindgen and wit-component share.
pub(super) struct World {
    /// Module and name of every import that is granted: functions, and dropping handles of granted resource types.
    pub(super) imports: BTreeSet<(String, String)>,
    /// Names of every export that belongs to the world.
    pub(super) exports: BTreeSet<String>,
    /// Names of the component's exports.
    pub(super) export_names: Vec<String>,
}

impl World {
    pub(super) fn of(scope: &Scope) -> Self {
        let mut world = Self {
            imports: BTreeSet::new(),
            // What the canonical ABI needs, and two addresses that the linker always exports.
            exports: ["memory", "cabi_realloc", "__data_end", "__heap_base"]
                .map(str::to_owned)
                .into(),
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

    fn import_interface(&mut self, scope: &Scope, module: &str, id: InterfaceId) {
        for name in functions(scope, id).map(|function| &function.name) {
            self.import(module, name);
        }
        for resource in resources(scope, id) {
            self.import(module, &format!("[resource-drop]{resource}"));
        }
    }

    fn export_interface(&mut self, scope: &Scope, name: &str, id: InterfaceId) {
        for function in functions(scope, id) {
            self.export(&format!("{name}#{}", function.name));
        }
        for resource in resources(scope, id) {
            self.exports.insert(format!("{name}#[dtor]{resource}"));
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
        self.exports.insert(name.to_owned());
        self.exports.insert(format!("cabi_post_{name}"));
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
