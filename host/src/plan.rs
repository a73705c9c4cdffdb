//! Plan: one WIT package with its manifest, parsed and checked. May read the plan's files and nothing else.

pub mod arguments;
mod builtin;
mod comments;
mod entry;
mod holes;
pub mod manifest;
pub(crate) mod object;
mod refuse;
mod source;
pub(crate) mod words;

use std::path::{Path, PathBuf};

use thiserror::Error;

use wit_parser::{InterfaceId, PackageId, Resolve, WorldId, WorldKey};

use crate::error::{Explain, Fault, Place};
use crate::value::{Named, Type};
pub use arguments::{Inputs, Invocation};
pub use builtin::{BuiltIn, interfaces as built_in};
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
    /// What it imports and could call or hold handles of, in the order of the world.
    pub imports: Vec<Import>,
    /// Where the world stands.
    pub place: Place,
}

/// One imported interface or function of a hole.
#[derive(Clone, Debug)]
pub struct Import {
    /// Key in the world.
    pub key: WorldKey,
    /// Name of the component's import: `lacuna:fs/read@0.1.0`, the label of a named import, or the function's name.
    pub name: String,
    /// Label of a named import, the interface's last name, or the function's name.
    pub label: String,
    /// The interface; `None` for a function of the world.
    pub interface: Option<InterfaceId>,
    /// WIT names of the functions, `[method]file.read` for those of resources.
    pub functions: Vec<String>,
    /// Whether the author wrote `import`. An interface that only a `use` brings in gives its types, and its functions only if a grant names it.
    pub explicit: bool,
    /// The `import` line, or the world when there is none.
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
    /// Where it is declared.
    pub place: Place,
}

/// Why there is no plan, no hole of that name, or no call of it.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A file of the plan cannot be read.
    #[error("{0}")]
    Read(Fault),
    /// The WIT does not parse or does not resolve.
    #[error("{0}")]
    Wit(Fault),
    /// WIT that Lacuna refuses (CONTRACTS section 1).
    #[error("{0}")]
    Refused(Fault),
    /// The manifest.
    #[error("{0}")]
    Manifest(Fault),
    /// No such hole, or none that could be the entry.
    #[error("{0}")]
    Hole(Fault),
    /// The arguments.
    #[error("{0}")]
    Argument(Fault),
}

impl PlanError {
    fn fault(&self) -> &Fault {
        match self {
            Self::Read(fault)
            | Self::Wit(fault)
            | Self::Refused(fault)
            | Self::Manifest(fault)
            | Self::Hole(fault)
            | Self::Argument(fault) => fault,
        }
    }
}

impl Explain for PlanError {
    fn place(&self) -> Option<&Place> {
        self.fault().place()
    }

    fn hint(&self) -> Option<String> {
        self.fault().hint()
    }

    fn others(&self) -> Vec<&dyn Explain> {
        self.fault().others()
    }
}

/// Loads a plan: a `.wit` file, alone or with `deps/` beside it, or a folder of `.wit` files; `lacuna.toml` beside it.
///
/// # Errors
/// Everything that cannot work is found here, with its line, before any model is asked.
pub fn load(path: &Path) -> Result<Plan, PlanError> {
    if path.file_name().is_some_and(|name| name == "lacuna.toml") {
        let plan = path.with_file_name("plan.wit");
        let fault = Fault::new(format!("`{}` is a manifest, not a plan", path.display()));
        let hint = format!(
            "give its plan, such as `{}`; the manifest beside it is read too",
            plan.display()
        );
        return Err(PlanError::Read(fault.hint(hint)));
    }
    let files = source::read(path)?;
    let parsed = source::parse(&files)?;
    let manifest = match &files.manifest {
        Some(file) => Manifest::parse(file.path.clone(), &file.name, &file.text)
            .map_err(PlanError::Manifest)?,
        None => Manifest::default(),
    };
    let holes = holes::find(&parsed).map_err(PlanError::Refused)?;
    if holes.is_empty() {
        return Err(PlanError::Hole(holes::none(&parsed)));
    }
    for (name, config) in &manifest.holes {
        if !holes.iter().any(|hole| hole.name == *name) {
            let fault = Fault::new(format!("there is no hole `{name}`")).at(config.place.clone());
            return Err(PlanError::Manifest(entry::name_holes(fault, name, &holes)));
        }
    }
    Ok(Plan {
        file: path.to_owned(),
        folder: files.folder,
        resolve: parsed.resolve,
        package: parsed.package,
        manifest,
        holes,
        hash: parsed.hash,
    })
}

#[cfg(test)]
mod tests;
