//! Grant: every import of a hole, *as the manifest allows it*. No grant, no import. May look at the paths that grants name.

use std::path::PathBuf;
use std::sync::Arc;

use wit_parser::WorldKey;

/// All grants of one hole, in the order of the world's imports.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The hole.
    pub hole: String,
    /// Its grants.
    pub grants: Vec<Grant>,
}

/// One granted import.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Key in the world.
    pub key: WorldKey,
    /// What the trace and messages call it: the label of a named import, the interface's last name, or the function's name.
    pub label: String,
    /// Id with version of the interface; `None` for an inline interface and for a function of the world.
    pub interface: Option<String>,
    /// Granted functions in WIT spelling (`read-text`, `[method]file.read`, `[constructor]file`), never empty unless
    /// only types are granted.
    pub functions: Vec<String>,
    /// Functions that the interface has and the grant leaves out, for diagnostics.
    pub withheld: Vec<String>,
    /// Who serves it.
    pub provider: Provider,
}

/// Who serves a granted import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Provider {
    /// Types only: nothing to serve.
    Types,
    /// `lacuna:hole/console`, implicit.
    Console,
    /// `lacuna:fs/read` or `lacuna:fs/write` on one folder.
    Folder(FolderGrant),
    /// Answers from a JSON file.
    Stub(StubGrant),
}

/// One folder.
#[derive(Clone, Debug)]
pub struct FolderGrant {
    /// Canonical path of the folder; it exists.
    pub root: PathBuf,
    /// Largest file that is read or written whole, bytes.
    pub max_file: u64,
}

/// Answers per function.
#[derive(Clone, Debug)]
pub struct StubGrant {
    /// The file, for messages.
    pub file: PathBuf,
    /// The parsed file: an object, a member per function.
    pub answers: Arc<serde_json::Map<String, serde_json::Value>>,
}

// Interface: pub fn resolve(plan: &Plan, hole: &Hole) -> Result<Granted, GrantError>;
