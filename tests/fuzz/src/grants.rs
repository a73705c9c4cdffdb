//! What a plan and its manifest grant, read from their text without the product: the other side of the oracle.

#![expect(clippy::disallowed_methods, reason = "finds the packages of a plan")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use wit_parser::{Function, InterfaceId, Resolve, WorldId, WorldItem, WorldKey};

/// An import that the world declares.
#[derive(Clone, Debug)]
pub struct Import {
    /// Name that a component imports it by.
    pub name: String,
    /// Name of its module in a snippet; none for a function of the world.
    pub label: Option<String>,
    /// Its interface.
    pub interface: Option<InterfaceId>,
    /// Functions by the names that a manifest has for them.
    pub functions: BTreeMap<String, Function>,
    /// Those that the manifest grants.
    pub granted: BTreeSet<String>,
}

/// The grants of one hole.
#[derive(Clone, Debug)]
pub struct Grants {
    /// All imports that the world declares, granted or not.
    pub imports: Vec<Import>,
    /// Names of the world's exports: functions, and interfaces with the functions in them.
    pub exports: BTreeMap<String, BTreeSet<String>>,
}

/// A plan as `wit-parser` reads it, with the world of a hole.
pub fn parse(folder: &Path, hole: &str) -> Result<(Resolve, WorldId)> {
    let mut resolve = Resolve::default();
    let builtin = root().join("wit");
    for package in ["clock", "fs", "hole", "random", "text"] {
        resolve.push_path(builtin.join(package))?;
    }
    let deps = folder.join("deps");
    if deps.is_dir() {
        for entry in std::fs::read_dir(&deps)? {
            resolve.push_path(entry?.path())?;
        }
    }
    let (package, _) = resolve.push_path(folder.join("plan.wit"))?;
    let world = resolve.select_world(&[package], Some(hole))?;
    Ok((resolve, world))
}

/// The root of the repository.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root.pop();
    root
}

impl Grants {
    /// Reads what `manifest` grants to the hole.
    pub fn read(resolve: &Resolve, world: WorldId, hole: &str, manifest: &str) -> Result<Self> {
        let manifest: toml::Table = manifest.parse().context("manifest")?;
        let grants = manifest
            .get("hole")
            .and_then(|holes| holes.get(hole))
            .and_then(|hole| hole.get("grant"));
        let world = &resolve.worlds[world];
        let mut imports = Vec::new();
        for (key, item) in &world.imports {
            let (interface, functions): (_, BTreeMap<String, Function>) = match item {
                WorldItem::Function(function) => {
                    (None, [(function.name.clone(), function.clone())].into())
                }
                WorldItem::Interface { id, .. } => (Some(*id), functions(resolve, *id)),
                WorldItem::Type { .. } => continue,
            };
            let name = resolve.name_world_key(key);
            let label = interface.map(|id| match key {
                WorldKey::Name(name) => name.clone(),
                WorldKey::Interface(_) => resolve.interfaces[id].name.clone().unwrap_or_default(),
            });
            let short = label.clone().unwrap_or_else(|| name.clone());
            let grant = grants.and_then(|grants| grants.get(&short).or_else(|| grants.get(&name)));
            let granted =
                match grant.map(|grant| grant.get("functions").and_then(toml::Value::as_array)) {
                    // What has no authority is granted by its import.
                    None if pure(&name, interface.and_then(|id| resolve.id_of(id))) => {
                        functions.keys().cloned().collect()
                    }
                    None => BTreeSet::new(),
                    Some(None) => functions.keys().cloned().collect(),
                    Some(Some(listed)) => {
                        let listed: BTreeSet<&str> =
                            listed.iter().filter_map(toml::Value::as_str).collect();
                        functions
                            .keys()
                            .filter(|name| listed.contains(name.as_str()))
                            .cloned()
                            .collect()
                    }
                };
            imports.push(Import {
                name,
                label,
                interface,
                functions,
                granted,
            });
        }
        let exports = world.exports.iter().filter_map(|(key, item)| {
            let inside = match item {
                WorldItem::Function(_) => BTreeSet::new(),
                WorldItem::Interface { id, .. } => {
                    resolve.interfaces[*id].functions.keys().cloned().collect()
                }
                WorldItem::Type { .. } => return None,
            };
            Some((resolve.name_world_key(key), inside))
        });
        Ok(Self {
            imports,
            exports: exports.collect(),
        })
    }
}

/// Whether an import is one of an interface that only calculates.
fn pure(name: &str, interface: Option<String>) -> bool {
    let id = interface.as_deref().unwrap_or(name);
    id.starts_with("lacuna:text/") || id.starts_with("lacuna:clock/calendar@")
}

fn functions(resolve: &Resolve, interface: InterfaceId) -> BTreeMap<String, Function> {
    let functions = resolve.interfaces[interface].functions.values();
    functions
        .map(|function| (manifest_name(&function.name), function.clone()))
        .collect()
}

/// `[method]dir.entries` → `dir.entries`, `[constructor]dir` → `dir.constructor`.
pub fn manifest_name(wit: &str) -> String {
    match wit.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some(("constructor", resource)) => format!("{resource}.constructor"),
        Some((_, name)) => name.to_owned(),
        None => wit.to_owned(),
    }
}
