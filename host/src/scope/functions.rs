//! The scope's functions in both spellings: what can be called and what must be written.

use std::collections::BTreeMap;

use wit_parser::{Function, FunctionKind, Resolve, WorldId, WorldItem, WorldKey};

use super::names::{self, Group};
use super::{ScopeExport, ScopeFunction, ScopeImport, cut, glue, layout, seal, surface};
use crate::value::Type;

/// A function in both spellings. `signature` is the generated one, `module` the generated module it stands in, `inside`
/// the module of the snippet that it is written in.
fn function(
    resolve: &Resolve,
    function: &Function,
    signature: Option<&syn::Signature>,
    module: &[String],
    layout: &layout::Layout,
    inside: Option<&str>,
) -> ScopeFunction {
    let rust = names::in_snippet(&surface::rust_name(function));
    let text = |style| {
        signature.map_or_else(String::new, |signature| {
            glue::declaration(layout, signature, module, style, &rust)
        })
    };
    ScopeFunction {
        wit: function.name.clone(),
        signature: text(layout::Style::Snippet(inside)),
        absolute: text(layout::Style::Absolute),
        rust: rust.clone(),
        docs: function.docs.contents.clone().unwrap_or_default(),
        parameters: function
            .params
            .iter()
            .filter_map(|parameter| {
                Some((
                    parameter.name.clone(),
                    Type::of(resolve, &parameter.ty).ok()?,
                ))
            })
            .collect(),
        result: function
            .result
            .as_ref()
            .and_then(|result| Type::of(resolve, result).ok()),
    }
}

/// The imports of the cut world.
pub(super) fn imports(
    cut: &cut::Cut,
    resolve: &Resolve,
    groups: &[Group],
    sealed: &seal::Sealed,
    layout: &layout::Layout,
) -> Vec<ScopeImport> {
    let world = &resolve.worlds[cut.world];
    cut.imports
        .iter()
        .map(|import| {
            let group = groups
                .iter()
                .find(|group| !group.exported && group.name == import.name);
            let item = world
                .imports
                .iter()
                .find(|(key, _)| resolve.name_world_key(key) == import.name);
            let mut functions = Vec::new();
            match item {
                Some((_, WorldItem::Function(it))) => {
                    let signature = sealed.functions.get(&names::snake(&it.name));
                    functions.push(function(resolve, it, signature, &[], layout, None));
                }
                Some((_, WorldItem::Interface { id, .. })) => {
                    let path = group.map(|group| group.path.clone()).unwrap_or_default();
                    for it in resolve.interfaces[*id].functions.values() {
                        let rust = surface::rust_name(it);
                        let at = match it.kind.resource() {
                            Some(resource) => seal::join(
                                &path,
                                &format!("{}::{rust}", seal::type_name(resolve, resource)),
                            ),
                            None => seal::join(&path, &rust),
                        };
                        functions.push(function(
                            resolve,
                            it,
                            sealed.functions.get(&at),
                            &path,
                            layout,
                            None,
                        ));
                    }
                }
                _ => {}
            }
            ScopeImport {
                label: import.label.clone(),
                import_name: import.name.clone(),
                interface: import.interface.clone(),
                bare: import.bare,
                module: group.map(|group| group.module.clone()),
                functions,
                withheld: import.withheld.clone(),
                implicit: import.implicit,
                provider: import.provider.clone(),
                rules: import.rules.clone(),
            }
        })
        .collect()
}

/// The exports, with modules where names clash.
pub(super) fn exports(
    resolve: &Resolve,
    world: WorldId,
    groups: &[Group],
    sealed: &seal::Sealed,
    layout: &layout::Layout,
) -> Vec<ScopeExport> {
    let written = |functions: Vec<&Function>,
                   path: &[String],
                   inside: Option<&str>|
     -> Vec<ScopeFunction> {
        let guest = sealed.traits.get(&seal::join(path, "Guest"));
        functions
            .into_iter()
            .filter(|it| matches!(it.kind, FunctionKind::Freestanding))
            .map(|it| {
                let rust = surface::rust_name(it);
                let signature = guest.and_then(|guest| {
                    guest.items.iter().find_map(|item| match item {
                        syn::TraitItem::Fn(method) if method.sig.ident == rust => Some(&method.sig),
                        _ => None,
                    })
                });
                function(resolve, it, signature, path, layout, inside)
            })
            .collect()
    };
    let mut exports = Vec::new();
    let own: Vec<&Function> = resolve.worlds[world]
        .exports
        .iter()
        .filter_map(|(key, item)| match (key, item) {
            (WorldKey::Name(_), WorldItem::Function(it)) => Some(it),
            _ => None,
        })
        .collect();
    if !own.is_empty() {
        exports.push(ScopeExport {
            interface: None,
            module: None,
            functions: written(own, &[], None),
            resources: Vec::new(),
        });
    }
    for group in groups.iter().filter(|group| group.exported) {
        let functions = resolve.interfaces[group.id].functions.values().collect();
        exports.push(ScopeExport {
            interface: Some(group.name.clone()),
            module: None,
            functions: written(functions, &group.path, None),
            resources: glue::resources(resolve, group, layout),
        });
    }
    // Two groups that share a function's name are told apart by modules.
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for function in exports.iter().flat_map(|export| &export.functions) {
        *uses.entry(function.rust.clone()).or_default() += 1;
    }
    if uses.values().any(|uses| *uses > 1) {
        for export in &mut exports {
            if export.functions.is_empty() {
                continue;
            }
            let group = groups
                .iter()
                .find(|group| group.exported && Some(&group.name) == export.interface.as_ref());
            if let Some(group) = group {
                // In its module the types of the interface are in scope by their own names.
                let functions = resolve.interfaces[group.id].functions.values().collect();
                export.functions = written(functions, &group.path, Some(&group.module));
                export.module = Some(group.module.clone());
            }
        }
    }
    exports
}
