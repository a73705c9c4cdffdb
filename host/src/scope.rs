//! Scope: what a hole can name. The guest's WIT is cut from the grant on a clone of the `Resolve`; the same cut WIT feeds
//! bindings, prompt, link check and linker, so the four cannot disagree. Reads and writes nothing.

mod bindings;
mod cursor;
mod cut;
pub(crate) mod exports;
mod functions;
mod glue;
mod instances;
mod layout;
mod names;
mod seal;
mod surface;
#[cfg(test)]
mod tests;
mod traits;

use std::collections::{BTreeMap, BTreeSet};

use wit_component::WitPrinter;
use wit_parser::{Resolve, TypeId, WorldId, WorldItem};

use crate::error::{Explain, Place};
use crate::grant::{ComponentImport, FunctionRules, Granted, Provider};
use crate::plan::{Hole, Plan};
use crate::value::{Named, Type};
use names::Group;

/// Whatever else decides what a snippet compiles to, beside the WIT, the bindings and the SDK. Part of every scope's
/// hash: change it when the compiler's flags or the generated crate's form change.
const SETTINGS: &str = "lacuna scope 1; edition 2024; -F unsafe_code; panic=abort; opt-level=0; debug-assertions=no; \
                        overflow-checks=yes; wit-bindgen-rust 0.60.0";

/// A closed scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The hole's name.
    pub hole: String,
    /// The task: doc comments.
    pub task: String,
    /// The cut WIT.
    pub resolve: Resolve,
    /// The hole's world in `resolve`, with `lacuna:hole/console` added to its imports.
    pub world: WorldId,
    /// What can be called, console included (`implicit`).
    pub imports: Vec<ScopeImport>,
    /// What must be written.
    pub exports: Vec<ScopeExport>,
    /// Rust source of the crate `bindings`: sealed, formatted.
    pub bindings: String,
    /// Rust text for the prompt.
    pub surface: Surface,
    /// Every name the snippet may use and its paths from the snippet's top level, for suggestions after "cannot find …":
    /// `Error` → `repo::Error`, `NotFound` → `repo::Error::NotFound`, `Entry` → `Entry` and `repo::Entry`. A path without
    /// `::` is in scope there already, so only an inner module can need `use super::…` for it.
    pub names: BTreeMap<String, Vec<String>>,
    /// `blake3:…` of the cut WIT's text, the bindings, and the lint and compiler settings.
    pub hash: String,
}

/// One import of the cut world.
#[derive(Clone, Debug)]
pub struct ScopeImport {
    /// As in the grant.
    pub label: String,
    /// Name of the component's import: `repo`, `lacuna:fs/read@0.1.0`, or the function's name.
    pub import_name: String,
    /// Id with version of the interface it was made from.
    pub interface: Option<String>,
    /// Whether this is a single function of the world (then `functions` has that one, at the component's root).
    pub bare: bool,
    /// Rust module that the snippet names; `None` for a bare function.
    pub module: Option<String>,
    /// Granted functions.
    pub functions: Vec<ScopeFunction>,
    /// WIT names that the interface has and the grant does not.
    pub withheld: Vec<String>,
    /// Not written by the plan's author (the console).
    pub implicit: bool,
    /// Who serves it.
    pub provider: Provider,
    /// What is allowed of each granted function.
    pub rules: FunctionRules,
}

impl ComponentImport {
    /// In the form of a hole's import; no Rust is written against it.
    pub(crate) fn as_scope(&self) -> ScopeImport {
        let import = self;
        let grant = &import.grant;
        ScopeImport {
            label: grant.label.clone(),
            import_name: import.name.clone(),
            interface: grant.interface.clone(),
            bare: import.bare,
            module: None,
            functions: import
                .functions
                .iter()
                .map(|function| ScopeFunction {
                    wit: function.name.clone(),
                    // No Rust is written against it.
                    rust: String::new(),
                    signature: String::new(),
                    absolute: String::new(),
                    docs: String::new(),
                    parameters: function.parameters.clone(),
                    result: function.result.clone(),
                })
                .collect(),
            withheld: grant.withheld.clone(),
            implicit: false,
            provider: grant.provider.clone(),
            rules: grant.rules.clone(),
        }
    }
}

/// One exported group.
#[derive(Clone, Debug)]
pub struct ScopeExport {
    /// Name of the component's export for an interface; `None` for functions of the world.
    pub interface: Option<String>,
    /// Set when the snippet must put the functions into `pub mod NAME { … }`.
    pub module: Option<String>,
    /// Freestanding functions.
    pub functions: Vec<ScopeFunction>,
    /// Resources that the snippet implements.
    pub resources: Vec<ScopeResource>,
}

impl ScopeExport {
    /// The interface's name as a module: `stats` of `t:h/stats@0.1.0`.
    pub fn own_module(&self) -> Option<String> {
        let path = self.interface.as_deref()?.split('@').next()?;
        Some(path.rsplit('/').next()?.replace('-', "_"))
    }
}

/// A function in both spellings.
#[derive(Clone, Debug)]
pub struct ScopeFunction {
    /// WIT name: `read-text`, `[method]file.read`.
    pub wit: String,
    /// Rust name: `read_text`, `read`.
    pub rust: String,
    /// Rust signature without `pub` and body, with names as the snippet sees them: `fn read_text(path: &str) -> Result<String, fs::Error>`.
    pub signature: String,
    /// For an export: the same with absolute paths, safe in any scope: `fn run(since: ::std::string::String) -> …`.
    pub absolute: String,
    /// Doc comment.
    pub docs: String,
    /// WIT parameters.
    pub parameters: Vec<Named>,
    /// WIT result.
    pub result: Option<Type>,
}

/// An exported resource.
#[derive(Clone, Debug)]
pub struct ScopeResource {
    /// WIT name: `roman`.
    pub wit: String,
    /// The trait that the snippet implements: `GuestRoman`.
    pub trait_name: String,
    /// Name that the glue gives the implementing type, unique in the scope: `__Lacuna_fns_Roman`.
    pub slot: String,
    /// Rust text of the trait, for the prompt.
    pub trait_text: String,
}

/// What the prompt shows, as Rust source with `///` docs.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Signatures to write.
    pub exports: String,
    /// Types.
    pub types: String,
    /// Granted functions, a `mod` per import.
    pub imports: String,
}

/// Why a scope could not be closed. `plan` refuses most of it earlier, with the exact line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// The bindings generator failed or panicked.
    #[error("no Rust bindings can be made for this world: {message}")]
    Generator {
        /// What it said.
        message: String,
        /// The hole's world.
        place: Box<Place>,
    },
    /// A name that cannot be one in Rust.
    #[error("{kind} `{wit}` would be `{rust}` in Rust, which is taken")]
    Name {
        /// `type`, `method`, `label`.
        kind: &'static str,
        /// The WIT name.
        wit: String,
        /// What it becomes.
        rust: String,
        /// The hole's world.
        place: Box<Place>,
    },
    /// Two names that become one.
    #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
    Clash {
        /// One WIT name.
        first: String,
        /// The other.
        second: String,
        /// What both become.
        rust: String,
        /// The hole's world.
        place: Box<Place>,
    },
    /// An interface that is imported in part and exported: its types would differ from themselves.
    #[error("`{interface}` is exported and its import is granted only in part")]
    CutExport {
        /// The interface.
        interface: String,
        /// The hole's world.
        place: Box<Place>,
    },
    /// The built-in packages are not in the plan.
    #[error("the package `lacuna:hole` is not loaded")]
    NoConsole,
    /// The cut WIT cannot be printed.
    #[error("the cut world cannot be printed: {0}")]
    Print(String),
}

impl Explain for ScopeError {
    fn place(&self) -> Option<&Place> {
        match self {
            Self::Generator { place, .. }
            | Self::Name { place, .. }
            | Self::Clash { place, .. }
            | Self::CutExport { place, .. } => Some(place),
            Self::NoConsole | Self::Print(_) => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Name { wit, .. } => Some(format!("rename `{wit}` in the WIT")),
            Self::Clash { second, .. } => Some(format!("rename `{second}` in the WIT")),
            Self::CutExport { .. } => {
                Some("grant all of its functions, or export another interface".to_owned())
            }
            _ => None,
        }
    }
}

/// Closes the scope of `hole`: cuts its world, makes the bindings, and writes down what a snippet can name.
///
/// # Errors
///
/// When the world has names for which no bindings can be made, or the generator fails.
pub fn close(
    plan: &Plan,
    hole: &Hole,
    granted: &Granted,
    sdk_hash: &str,
) -> Result<Scope, ScopeError> {
    let cut = cut::cut(plan, hole, granted)?;
    let place = &hole.place;
    // The generator tells imported and exported uses of one interface apart by this step; doing it here gives the
    // same type ids to all that follows.
    let mut resolve = cut.resolve.clone();
    resolve.generate_nominal_type_ids(cut.world);
    let groups = names::groups(&resolve, cut.world, place)?;
    names::check(&resolve, cut.world, &groups, place)?;
    // An implicit console is the runtime's; a snippet reaches it by `println!`.
    let implicit: BTreeSet<&str> = cut
        .imports
        .iter()
        .filter(|import| import.implicit)
        .map(|import| import.name.as_str())
        .collect();
    let source = bindings::generate(&resolve, cut.world, &implicit, place)?;
    let groups: Vec<Group> = groups
        .into_iter()
        .filter(|group| !implicit.contains(group.name.as_str()))
        .collect();

    let ids = type_paths(&resolve, cut.world, &groups);
    let errors = traits::error_types(&resolve, cut.world);
    let open = groups
        .iter()
        .filter(|group| group.exported && has_resources(&resolve, group))
        .map(|group| group.path.join("::"))
        .collect();
    let sealed = seal::seal(&source, &resolve, &ids, &errors, &open, place)?;
    let layout = layout::layout(&resolve, cut.world, &groups, &sealed);

    let imports = functions::imports(&cut, &resolve, &groups, &sealed, &layout);
    let mut exports = functions::exports(&resolve, cut.world, &groups, &sealed, &layout);
    let surface = surface::surface(
        &surface::Source {
            resolve: &resolve,
            world: cut.world,
            groups: &groups,
            sealed: &sealed,
            layout: &layout,
            ids: &ids,
        },
        &mut exports,
    );
    let names = name_index(&layout, &sealed);
    let glue = {
        let exporters: Vec<glue::Exporter<'_>> = exports
            .iter()
            .map(|export| glue::Exporter {
                export,
                group: groups
                    .iter()
                    .find(|group| group.exported && Some(&group.name) == export.interface.as_ref()),
            })
            .collect();
        glue::glue(&exporters, &sealed, &layout)
    };
    let instances = instances::instances(&resolve, &ids, &sealed);
    let bindings = write_crate(sealed.items, &layout, &glue, &instances, place)?;

    let mut scope = Scope {
        hole: hole.name.clone(),
        task: hole.task.clone(),
        resolve: cut.resolve,
        world: cut.world,
        imports,
        exports,
        bindings,
        surface,
        names,
        hash: String::new(),
    };
    let wit = scope.wit()?;
    let mut hasher = blake3::Hasher::new();
    for part in [&wit, &scope.bindings, sdk_hash, SETTINGS] {
        // The length first, so that no two lists of parts give the same bytes.
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    scope.hash = format!("blake3:{}", hasher.finalize().to_hex());
    Ok(scope)
}

impl Scope {
    /// First line of `snippet.rs`, ending in a newline.
    pub fn head(&self) -> &str {
        "#[allow(unused_imports)] use ::__lacuna_bindings::scope::*;\n"
    }

    /// What stands behind the text in `snippet.rs`: a private module that calls `::__lacuna_bindings::fill!()`, which refers to
    /// `super::…`. `resources` maps a [`ScopeResource::trait_name`] to the path of the implementing type relative to
    /// the snippet's module.
    pub fn glue(&self, resources: &BTreeMap<String, String>) -> String {
        glue::behind(&self.exports, resources)
    }

    /// The cut world as WIT text, with the interfaces that it needs and nothing else.
    ///
    /// # Errors
    ///
    /// When the printer cannot express the world.
    pub fn wit(&self) -> Result<String, ScopeError> {
        let mut resolve = self.resolve.clone();
        let mut reachable = BTreeSet::new();
        let world = &resolve.worlds[self.world];
        let mut open: Vec<_> = world
            .imports
            .values()
            .chain(world.exports.values())
            .filter_map(|item| match item {
                WorldItem::Interface { id, .. } => Some(*id),
                _ => None,
            })
            .collect();
        while let Some(id) = open.pop() {
            if reachable.insert(id) {
                open.extend(resolve.interface_direct_deps(id));
            }
        }
        let main = resolve.worlds[self.world].package;
        for (_, package) in resolve.packages.iter_mut() {
            package.interfaces.retain(|_, id| reachable.contains(id));
            package.worlds.retain(|_, id| *id == self.world);
        }
        let nested: Vec<_> = resolve
            .topological_packages()
            .into_iter()
            .filter(|id| Some(*id) != main && !resolve.packages[*id].interfaces.is_empty())
            .collect();
        let Some(main) = main else {
            return Err(ScopeError::Print("the world has no package".to_owned()));
        };
        let mut printer = WitPrinter::default();
        printer
            .print(&resolve, main, &nested)
            .map_err(|error| ScopeError::Print(format!("{error:#}")))?;
        Ok(printer.output.to_string())
    }
}

fn has_resources(resolve: &Resolve, group: &Group) -> bool {
    let types = &resolve.interfaces[group.id].types;
    types
        .values()
        .any(|id| matches!(resolve.types[*id].kind, wit_parser::TypeDefKind::Resource))
}

/// Path in the generated code of every named type of the world.
fn type_paths(resolve: &Resolve, world: WorldId, groups: &[Group]) -> BTreeMap<String, TypeId> {
    let mut ids = BTreeMap::new();
    for (wit, id) in names::world_types(resolve, world) {
        ids.insert(names::camel(&wit), id);
    }
    for group in groups {
        for (wit, id) in &resolve.interfaces[group.id].types {
            ids.insert(seal::join(&group.path, &names::camel(wit)), *id);
        }
    }
    ids
}

/// Every name of the scope and where it stands, as seen from the snippet's top level.
fn name_index(layout: &layout::Layout, sealed: &seal::Sealed) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |name: &str, path: String| {
        let paths = names.entry(name.to_owned()).or_default();
        if !paths.contains(&path) {
            paths.push(path);
        }
    };
    let mut seen = BTreeSet::new();
    let modules = layout
        .modules
        .iter()
        .map(|(module, entries)| (Some(module), entries));
    for (module, entries) in std::iter::once((None, &layout.top)).chain(modules) {
        if let Some(module) = module {
            add(module, module.clone());
        }
        for entry in entries {
            let path = module.map_or_else(
                || entry.name.clone(),
                |module| format!("{module}::{}", entry.name),
            );
            add(&entry.name, path.clone());
            let at = layout.definition(&entry.at);
            if !seen.insert(at.clone()) {
                continue;
            }
            if let Some(seal::Shape::Enum(item)) = sealed.types.get(&at) {
                let home = layout.home(&at).unwrap_or(&path);
                for variant in &item.variants {
                    add(
                        &variant.ident.to_string(),
                        format!("{home}::{}", variant.ident),
                    );
                }
            }
        }
    }
    names
}

/// The crate `bindings` as one file.
fn write_crate(
    items: Vec<syn::Item>,
    layout: &layout::Layout,
    glue: &glue::Glue,
    instances: &str,
    place: &Place,
) -> Result<String, ScopeError> {
    let mut scope = String::new();
    let uses = |entries: &[layout::Entry]| -> String {
        entries
            .iter()
            .map(|entry| format!("pub use crate::generated::{};", entry.at))
            .collect()
    };
    scope.push_str(&uses(&layout.top));
    for (module, entries) in &layout.modules {
        scope.push_str(&format!("pub mod {module} {{ {} }}", uses(entries)));
    }
    let text = format!(
        "mod generated {{}} pub mod scope {{ {scope} }} {} {instances}",
        glue.modules
    );
    let mut file = syn::parse_file(&text).map_err(|error| ScopeError::Generator {
        message: format!("not Rust: {error}"),
        place: Box::new(place.clone()),
    })?;
    if let Some(syn::Item::Mod(generated)) = file.items.first_mut() {
        generated.content = Some((Default::default(), items));
    }
    let body = prettyplease::unparse(&file);
    Ok(format!("#![allow(warnings)]\n{body}\n{}", glue.fill))
}
