//! Link: makes a component of a core module and checks it against the cut world. Only [`check`] makes a `LinkedComponent`.

use crate::diagnostic::{Diagnostic, Fix};
use crate::snippet::Snippet;

/// A component that imports at most what its scope grants and exports exactly what the hole asks for.
#[derive(Debug)]
pub struct LinkedComponent {
    pub(crate) bytes: Vec<u8>,
    /// The snippet that was judged (after repairs).
    pub snippet: Snippet,
    /// Fixes that were applied before judging.
    pub repaired: Vec<Fix>,
    /// Warnings of the compiler.
    pub warnings: Vec<Diagnostic>,
    /// What it imports: used, not granted.
    pub imports: Vec<UsedImport>,
    /// Names of its exports.
    pub exports: Vec<String>,
    /// `blake3:…` of the component's bytes.
    pub hash: String,
    /// Hash of the scope it was checked against.
    pub scope: String,
    /// Milliseconds of rustc and its linker.
    pub compile_millis: u64,
    /// Milliseconds of encoding and checking.
    pub link_millis: u64,
}

/// An import that a component has.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UsedImport {
    /// Name of the import: `repo`, `lacuna:fs/read@0.1.0`, or a function of the world.
    pub name: String,
    /// Id of the interface it was made from.
    pub interface: Option<String>,
    /// Functions of it that the component imports, WIT names.
    pub functions: Vec<String>,
    /// Not written by the plan's author.
    pub implicit: bool,
}

// Interface: pub fn check(scope: &Scope, module: CoreModule) -> Result<LinkedComponent, Rejection>;
