//! Scope: what a hole can name. The guest's WIT is cut from the grant on a clone of the `Resolve`; the same cut WIT feeds
//! bindings, prompt, link check and linker, so the four cannot disagree. Reads and writes nothing.

use std::collections::BTreeMap;

use wit_parser::{Resolve, WorldId};

use crate::grant::Provider;
use crate::value::{Named, Type};

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
    /// Every name the snippet may use and its path (`Duplicate` → `bindings`; see `names` of the facade for `std`):
    /// for suggestions after "cannot find …".
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

// Interface:
// pub fn close(plan: &Plan, hole: &Hole, granted: &Granted, sdk_hash: &str) -> Result<Scope, ScopeError>;
// impl Scope {
//     /// First line of `snippet.rs`, e.g. `use ::bindings::scope::*;`, ending in a newline.
//     pub fn head(&self) -> &str;
//     /// What stands behind the text in `snippet.rs`: a private module that calls `::bindings::fill!()`, which refers to `super::…`.
//     /// `resources` maps `GuestRoman` to the path of the implementing type relative to the snippet module.
//     pub fn glue(&self, resources: &BTreeMap<String, String>) -> String;
// }
