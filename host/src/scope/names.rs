//! How WIT names are written in Rust, and which Rust names must not be taken.

use std::collections::{BTreeMap, BTreeSet};

use wit_parser::{InterfaceId, Resolve, TypeDefKind, TypeId, WorldId, WorldItem, WorldKey};

use super::ScopeError;
use crate::error::Place;

/// Names that every Rust module sees without an import. A type of an interface that is called like one of them is
/// not put at the top level: it would hide what the model means by `Vec` or `Error`.
const WELL_KNOWN: &[&str] = &[
    "Arc",
    "AsMut",
    "AsRef",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "Cell",
    "Clone",
    "Copy",
    "Cow",
    "Debug",
    "Default",
    "Display",
    "DoubleEndedIterator",
    "Drop",
    "Duration",
    "Eq",
    "Err",
    "Error",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "FromStr",
    "Future",
    "HashMap",
    "HashSet",
    "Hash",
    "Hasher",
    "Instant",
    "Into",
    "IntoIterator",
    "Iterator",
    "Mutex",
    "None",
    "Ok",
    "Option",
    "Ord",
    "Ordering",
    "PartialEq",
    "PartialOrd",
    "Path",
    "PathBuf",
    "Rc",
    "Read",
    "RefCell",
    "Result",
    "RwLock",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    "VecDeque",
    "Write",
];

/// Names that the generated code itself uses bare, so that a WIT type of this name breaks it.
const TAKEN_TYPES: &[&str] = &[
    "Box", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String", "Vec",
];

/// Methods that the generator gives every handle type: a WIT method of this name would be defined twice.
const TAKEN_METHODS: &[&str] = &["handle", "take-handle", "from-handle"];

/// Names that a module of the scope must not have: crates, primitive types, and modules of the generated code.
const TAKEN_MODULES: &[&str] = &[
    "alloc",
    "bindings",
    "bool",
    "char",
    "core",
    "exports",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "lacuna_rt",
    "std",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// `read-text` → `ReadText`, as the bindings generator has it.
pub(super) fn camel(wit: &str) -> String {
    if wit == "guest" {
        return "Guest_".to_owned();
    }
    camel_words(wit)
}

/// [`camel`] where the generator makes no exception for `guest`: cases and handles.
pub(super) fn camel_words(wit: &str) -> String {
    let mut name = String::new();
    for word in wit.split('-') {
        let mut characters = word.chars();
        name.extend(characters.next().map(|first| first.to_ascii_uppercase()));
        name.extend(characters.map(|character| character.to_ascii_lowercase()));
    }
    name
}

/// `read-text` → `READ_TEXT`.
pub(super) fn shouty(wit: &str) -> String {
    wit.replace('-', "_").to_ascii_uppercase()
}

/// `read-text` → `read_text`, keywords with `_` behind them, as the generator has it (its crate is edition 2021).
pub(super) fn snake(wit: &str) -> String {
    wit_bindgen_rust::to_rust_ident(wit)
}

/// What the snippet (edition 2024) must write for a name of the generated crate (edition 2021).
pub(super) fn in_snippet(rust: &str) -> String {
    if rust == "gen" {
        "r#gen".to_owned()
    } else {
        rust.to_owned()
    }
}

/// Names of [`WELL_KNOWN`] that no snippet sees before it imports them. A type that the plan itself calls so may stand
/// at the top level: the import of a snippet that means the other one hides it.
const IMPORTED_FIRST: &[&str] = &[
    "Arc", "Cell", "Cow", "Duration", "Error", "Hasher", "Instant", "Mutex", "Ordering", "Path",
    "PathBuf", "Rc", "Read", "RefCell", "RwLock",
];

/// Whether a type of this name may stand at the top level without having been asked for; `own` are the types that the
/// plan's own package defines.
pub(super) fn may_stand_bare(name: &str, own: bool) -> bool {
    !WELL_KNOWN.contains(&name) || own && IMPORTED_FIRST.contains(&name)
}

/// One imported or exported interface, and where its parts stand.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Key in the nominalised world.
    pub(super) key: WorldKey,
    /// The same as text, which is the name of the component's import or export.
    pub(super) name: String,
    /// The interface in the nominalised resolve.
    pub(super) id: InterfaceId,
    /// Whether it is exported.
    pub(super) exported: bool,
    /// Module path in the generated code.
    pub(super) path: Vec<String>,
    /// Module in `__lacuna_bindings::scope`.
    pub(super) module: String,
}

/// All interfaces of a world with the names of their modules.
pub(super) fn groups(
    resolve: &Resolve,
    world: WorldId,
    place: &Place,
) -> Result<Vec<Group>, ScopeError> {
    let world = &resolve.worlds[world];
    let mut groups = Vec::new();
    for (exported, items) in [(false, &world.imports), (true, &world.exports)] {
        for (key, item) in items {
            let WorldItem::Interface { id, .. } = item else {
                continue;
            };
            groups.push(Group {
                key: key.clone(),
                name: resolve.name_world_key(key),
                id: *id,
                exported,
                path: generated_path(resolve, key, exported),
                module: String::new(),
            });
        }
    }
    let short = |group: &Group| match &group.key {
        WorldKey::Name(label) => snake(label),
        WorldKey::Interface(id) => {
            snake(resolve.interfaces[*id].name.as_deref().unwrap_or_default())
        }
    };
    // Imports and exports are counted apart: an interface that is both keeps its name as an import, for calls.
    let mut uses: BTreeMap<(bool, String), usize> = BTreeMap::new();
    for group in &groups {
        *uses.entry((group.exported, short(group))).or_default() += 1;
    }
    // A label's module stands beside those of the packages' namespaces.
    let namespaces: BTreeSet<String> = groups
        .iter()
        .filter(|group| !group.exported && matches!(group.key, WorldKey::Interface(_)))
        .filter_map(|group| group.path.first().cloned())
        .collect();
    let mut taken = BTreeSet::new();
    for group in &mut groups {
        let name = short(group);
        let label = !group.exported && matches!(group.key, WorldKey::Name(_));
        let reserved =
            TAKEN_MODULES.contains(&name.as_str()) || label && namespaces.contains(&name);
        let mut candidates = vec![name.clone()];
        if let WorldKey::Interface(id) = &group.key {
            if reserved || uses[&(group.exported, name.clone())] > 1 {
                candidates.clear();
            } else if group.exported {
                candidates.push(format!("exported_{name}"));
            }
            if let Some(package) = resolve.interfaces[*id].package {
                let package = &resolve.packages[package].name;
                candidates.push(format!("{}_{name}", snake(&package.name)));
                candidates.push(format!(
                    "{}_{}_{name}",
                    snake(&package.namespace),
                    snake(&package.name)
                ));
                if let Some(version) = &package.version {
                    let version = version
                        .to_string()
                        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                    candidates.push(format!(
                        "{}_{}_{name}_{version}",
                        snake(&package.namespace),
                        snake(&package.name)
                    ));
                }
            }
        } else if reserved {
            return Err(ScopeError::Name {
                kind: "label",
                wit: group.name.clone(),
                rust: name,
                place: Box::new(place.clone()),
            });
        }
        if group.exported {
            candidates.extend(
                candidates
                    .clone()
                    .iter()
                    .map(|name| format!("exported_{name}")),
            );
        }
        let Some(module) = candidates.into_iter().find(|name| !taken.contains(name)) else {
            return Err(ScopeError::Clash {
                first: group.name.clone(),
                second: name.clone(),
                rust: name,
                place: Box::new(place.clone()),
            });
        };
        taken.insert(module.clone());
        group.module = module;
    }
    Ok(groups)
}

/// Where the generator puts an interface.
fn generated_path(resolve: &Resolve, key: &WorldKey, exported: bool) -> Vec<String> {
    let mut path = Vec::new();
    if exported {
        path.push("exports".to_owned());
    }
    match key {
        WorldKey::Name(name) => path.push(snake(name)),
        WorldKey::Interface(id) => {
            let interface = &resolve.interfaces[*id];
            if let Some(package) = interface.package {
                path.push(snake(&resolve.packages[package].name.namespace));
                path.push(wit_bindgen_core::name_package_module(resolve, package));
            }
            path.push(snake(interface.name.as_deref().unwrap_or_default()));
        }
    }
    path
}

/// Refuses what the generator would turn into code that does not compile. `plan` refuses most of it with the exact
/// line; this is the net below it.
pub(super) fn check(
    resolve: &Resolve,
    world: WorldId,
    groups: &[Group],
    place: &Place,
) -> Result<(), ScopeError> {
    let mut tables: Vec<Vec<(String, TypeId)>> = vec![world_types(resolve, world)];
    for group in groups {
        let interface = &resolve.interfaces[group.id];
        tables.push(
            interface
                .types
                .iter()
                .map(|(name, id)| (name.clone(), *id))
                .collect(),
        );
        let mut functions = BTreeMap::new();
        for function in interface.functions.values() {
            let item = function.item_name();
            let resource = function.kind.resource();
            let rust = match function.kind {
                wit_parser::FunctionKind::Constructor(_) => "new".to_owned(),
                _ => snake(item),
            };
            if resource.is_some() && TAKEN_METHODS.contains(&item) && !group.exported {
                return Err(ScopeError::Name {
                    kind: "method",
                    wit: function.name.clone(),
                    rust,
                    place: Box::new(place.clone()),
                });
            }
            if let Some(first) = functions.insert((resource, rust.clone()), function.name.clone()) {
                return Err(ScopeError::Clash {
                    first,
                    second: function.name.clone(),
                    rust,
                    place: Box::new(place.clone()),
                });
            }
        }
    }
    for table in tables {
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for (wit, id) in table {
            let rust = camel(&wit);
            if TAKEN_TYPES.contains(&rust.as_str()) {
                return Err(ScopeError::Name {
                    kind: "type",
                    wit,
                    rust,
                    place: Box::new(place.clone()),
                });
            }
            // The generator reserves `Guest` for its traits, but does not rename these two everywhere.
            let kind = &resolve.types[id].kind;
            if wit == "guest" && matches!(kind, TypeDefKind::Resource | TypeDefKind::Flags(_)) {
                return Err(ScopeError::Name {
                    kind: "type",
                    wit,
                    rust,
                    place: Box::new(place.clone()),
                });
            }
            let mut names = vec![rust];
            if matches!(resolve.types[id].kind, TypeDefKind::Resource) {
                names.push(format!("{}Borrow", names[0]));
                names.push(format!("Guest{}", names[0]));
            }
            for rust in names {
                if let Some(first) = seen.insert(rust.clone(), wit.clone()) {
                    return Err(ScopeError::Clash {
                        first,
                        second: wit,
                        rust,
                        place: Box::new(place.clone()),
                    });
                }
            }
        }
    }
    Ok(())
}

/// Types that stand in the world itself, by name.
pub(super) fn world_types(resolve: &Resolve, world: WorldId) -> Vec<(String, TypeId)> {
    resolve.worlds[world]
        .imports
        .iter()
        .filter_map(|(key, item)| match (key, item) {
            (WorldKey::Name(name), WorldItem::Type { id, .. }) => Some((name.clone(), *id)),
            _ => None,
        })
        .collect()
}
