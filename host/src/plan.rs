//! Plan: one WIT package with its manifest, parsed and checked. May read the plan's files and nothing else.

pub mod manifest;

use std::path::PathBuf;

use wit_parser::{InterfaceId, PackageId, Resolve, WorldId, WorldKey};

use crate::error::Place;
use crate::value::Named;
use crate::value::Type;
pub use manifest::Manifest;

/// A parsed plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The `.wit` file or the folder that was given.
    pub file: PathBuf,
    /// Folder that paths in the manifest are relative to (where `lacuna.toml` stands or would stand).
    pub folder: PathBuf,
    /// All packages: built-in ones, `deps/`, the plan's own.
    pub resolve: Resolve,
    /// The plan's own package.
    pub package: PackageId,
    /// The manifest; an empty one with `schema = 1` when there is no file.
    pub manifest: Manifest,
    /// The holes, in the order of the source.
    pub holes: Vec<Hole>,
    /// `blake3:…` of every WIT source that the plan was parsed from.
    pub hash: String,
}

/// A world that exports at least one function.
#[derive(Clone, Debug)]
pub struct Hole {
    /// The world's name.
    pub name: String,
    /// The world.
    pub world: WorldId,
    /// Doc comments of world and exported functions: the task.
    pub task: String,
    /// What it exports: the world's own functions first (one group with `interface: None`), then interfaces.
    pub exports: Vec<Export>,
    /// Where the world stands.
    pub place: Place,
}

/// One exported group of functions.
#[derive(Clone, Debug)]
pub struct Export {
    /// `None` for functions of the world itself.
    pub interface: Option<ExportedInterface>,
    /// Its functions, freestanding ones and those of resources (`[constructor]roman`, `[method]roman.call`).
    pub functions: Vec<Function>,
}

/// An exported interface.
#[derive(Clone, Debug)]
pub struct ExportedInterface {
    /// Key in the world.
    pub key: WorldKey,
    /// The interface.
    pub id: InterfaceId,
    /// Name of the component's export: `demo:text/fns@0.1.0`, or the label of an inline or named interface.
    pub export_name: String,
    /// Its last name, kebab-case: `fns`.
    pub name: String,
}

/// A function's WIT signature.
#[derive(Clone, Debug)]
pub struct Function {
    /// WIT name: `read-text`, `[method]file.read`.
    pub name: String,
    /// Parameters (with `self` for methods).
    pub parameters: Vec<Named>,
    /// Result, if any.
    pub result: Option<Type>,
    /// Doc comment.
    pub docs: String,
}

// Interface:
// pub fn load(path: &Path) -> Result<Plan, PlanError>;                            a .wit file or a folder
// impl Plan { pub fn hole(&self, name: &str) -> Result<&Hole, PlanError>; pub fn entry(&self, flag: Option<&str>) -> Result<&Hole, PlanError> }
// plan/arguments.rs: resolves --arg, --args-json, --call and [hole.H.args] (CONTRACTS 6.4, 6.5) to Vec<Invocation>
// pub struct Invocation { pub interface: Option<String> /* export name */, pub function: String, pub arguments: Vec<Value>, pub result: Option<Type>, parameters: Vec<Named> }
