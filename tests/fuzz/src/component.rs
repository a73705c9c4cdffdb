//! Reads a component with `wasmparser` alone and compares it with what was granted.

use std::collections::BTreeSet;

use wasmparser::component_types::ComponentEntityType;
use wasmparser::types::Types;
use wasmparser::{Parser, Payload, Validator, WasmFeatures};

use crate::grants::{Grants, manifest_name};

/// The one import that no plan has to write: it prints.
const CONSOLE: &str = "lacuna:hole/console@";
/// Functions of it.
const CONSOLE_FUNCTIONS: [&str; 2] = ["print", "panicked"];

/// What the engine has: version 2.0 without SIMD, and components.
const ENGINE: WasmFeatures = WasmFeatures::WASM2
    .difference(WasmFeatures::SIMD)
    .union(WasmFeatures::COMPONENT_MODEL);
/// Bytes of the section in which the encoder says what it is.
const MOST_PRODUCERS: usize = 200;

/// What a component imports, or all that is wrong with it.
pub fn check(bytes: &[u8], grants: &Grants) -> Result<BTreeSet<String>, Vec<String>> {
    let types = match Validator::new_with_features(ENGINE).validate_all(bytes) {
        Ok(types) => types,
        Err(error) => return Err(vec![format!("not a valid component: {error}")]),
    };
    let mut reader = Reader {
        grants,
        types: &types,
        wrong: Vec::new(),
        used: BTreeSet::new(),
        modules: 0,
    };
    reader.read(bytes);
    if reader.wrong.is_empty() {
        Ok(reader.used)
    } else {
        Err(reader.wrong)
    }
}

struct Reader<'a> {
    grants: &'a Grants,
    types: &'a Types,
    wrong: Vec<String>,
    /// `import.function` that the component imports.
    used: BTreeSet<String>,
    /// Core modules that were seen; the first one is the snippet's.
    modules: usize,
}

impl Reader<'_> {
    fn read(&mut self, bytes: &[u8]) {
        // What is open around the current payload: whether it is a core module.
        let mut open: Vec<bool> = Vec::new();
        let mut exports = BTreeSet::new();
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = match payload {
                Ok(payload) => payload,
                Err(error) => return self.wrong.push(format!("unreadable: {error}")),
            };
            let outermost = open.is_empty();
            match payload {
                Payload::ModuleSection { .. } => {
                    self.modules += 1;
                    open.push(true);
                }
                Payload::ComponentSection { .. } => open.push(false),
                Payload::End(_) => {
                    open.pop();
                }
                // What the encoder writes itself: the module that it was given has no such section any more.
                Payload::CustomSection(section)
                    if self.is_of_encoder(section.name(), section.data(), outermost) => {}
                Payload::CustomSection(section) => {
                    self.wrong.push(format!(
                        "custom section `{}`",
                        section.name().escape_debug()
                    ));
                }
                Payload::StartSection { .. } | Payload::ComponentStartSection { .. } => {
                    self.wrong.push("a start function".to_owned());
                }
                Payload::ComponentImportSection(section) if outermost => {
                    for import in section.into_iter().flatten() {
                        self.import(import.name.name);
                    }
                }
                Payload::ComponentExportSection(section) if outermost => {
                    for export in section.into_iter().flatten() {
                        exports.insert(export.name.name.to_owned());
                        self.export(export.name.name);
                    }
                }
                Payload::ImportSection(section)
                    if self.modules == 1 && open.last() == Some(&true) =>
                {
                    for import in section.into_imports().flatten() {
                        self.core_import(import.module, import.name);
                    }
                }
                Payload::ExportSection(section)
                    if self.modules == 1 && open.last() == Some(&true) =>
                {
                    for export in section.into_iter().flatten() {
                        self.core_export(export.name);
                    }
                }
                _ => {}
            }
        }
        for wanted in self.grants.exports.keys() {
            if !exports.contains(wanted) {
                self.wrong.push(format!("the export `{wanted}` is missing"));
            }
        }
    }

    fn is_of_encoder(&self, name: &str, data: &[u8], outermost: bool) -> bool {
        let says_so = || data.windows(13).any(|window| window == b"wit-component");
        match name {
            "producers" => data.len() < MOST_PRODUCERS && says_so(),
            "component-name" => outermost,
            _ => false,
        }
    }

    fn import(&mut self, name: &str) {
        let Some(item) = self.types.component_item_for_import(name) else {
            return self.wrong.push(format!("import `{name}` without a type"));
        };
        match item.ty {
            ComponentEntityType::Func(_) => self.used(name, name),
            ComponentEntityType::Instance(id) => {
                let functions: Vec<String> = self.types[id]
                    .exports
                    .iter()
                    .filter(|(_, item)| matches!(item.ty, ComponentEntityType::Func(_)))
                    .map(|(name, _)| name.clone())
                    .collect();
                for function in functions {
                    self.used(name, &function);
                }
            }
            ComponentEntityType::Type { .. } => {}
            _ => self.wrong.push(format!(
                "import `{name}` is neither a function nor an interface"
            )),
        }
    }

    /// A function that the component imports.
    fn used(&mut self, import: &str, function: &str) {
        if import.starts_with(CONSOLE) && CONSOLE_FUNCTIONS.contains(&function) {
            return;
        }
        let name = manifest_name(function);
        let granted = self
            .grants
            .imports
            .iter()
            .any(|of| of.name == import && of.granted.contains(&name));
        if granted {
            self.used.insert(format!("{import}.{name}"));
        } else {
            self.wrong.push(format!(
                "imports `{function}` of `{import}`, which is not granted"
            ));
        }
    }

    fn export(&mut self, name: &str) {
        let Some(functions) = self.grants.exports.get(name) else {
            return self
                .wrong
                .push(format!("exports `{name}`, which the world does not have"));
        };
        let Some(item) = self.types.component_item_for_export(name) else {
            return self.wrong.push(format!("export `{name}` without a type"));
        };
        if let ComponentEntityType::Instance(id) = item.ty {
            for (function, item) in &self.types[id].exports {
                let known = functions.contains(function);
                if matches!(item.ty, ComponentEntityType::Func(_)) && !known {
                    self.wrong.push(format!(
                        "exports `{function}` of `{name}`, which the world does not have"
                    ));
                }
            }
        }
    }

    /// Imports of the snippet's own module: granted functions, the console, and what handles need.
    fn core_import(&mut self, module: &str, name: &str) {
        let own = module.strip_prefix("[export]");
        let exported = own.is_some_and(|own| self.grants.exports.contains_key(own));
        if exported
            && ["[resource-new]", "[resource-rep]", "[resource-drop]"]
                .iter()
                .any(|start| name.starts_with(start))
        {
            return;
        }
        let module = if module == "$root" { name } else { module };
        let imported = self
            .grants
            .imports
            .iter()
            .any(|import| import.name == module);
        // Handles may be dropped by whoever has them.
        if name.starts_with("[resource-drop]") && imported {
            return;
        }
        self.used(module, name);
    }

    fn core_export(&mut self, name: &str) {
        let plain = name.strip_prefix("cabi_post_").unwrap_or(name);
        if ["memory", "cabi_realloc", "_initialize"].contains(&plain)
            || self.grants.exports.contains_key(plain)
        {
            return;
        }
        let inside = plain.split_once('#').is_some_and(|(interface, function)| {
            let of = self.grants.exports.get(interface);
            of.is_some_and(|of| of.contains(function) || function.starts_with("[dtor]"))
        });
        if !inside {
            self.wrong
                .push(format!("the module exports `{}`", name.escape_debug()));
        }
    }
}
