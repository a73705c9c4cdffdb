//! What the tests that drive the `lacuna` program share: starting it in a clean environment, and snapshots.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod bombs;
pub(crate) mod cache;
pub(crate) mod case;
pub(crate) mod kernel;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod rules;
pub(crate) mod snapshot;
pub(crate) mod source;
pub(crate) mod stores;
pub(crate) mod strace;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut above = package.ancestors();
    let root = above.find(|folder| folder.join("deny.toml").exists());
    root.unwrap_or(package).to_owned()
}

/// The folders directly in `folder`, sorted by name.
pub(crate) fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// The last name of a path, as text.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}
