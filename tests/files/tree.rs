//! A granted folder, and what stands around it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// What every file outside holds.
pub(crate) const OUTSIDE: &str = "outside";
/// What every file inside holds.
pub(crate) const INSIDE: &str = "inside";

/// `x/data` is granted; `x/data-private`, `x` and what is above must never be seen or changed.
pub(crate) struct Tree {
    top: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let top = tempfile::Builder::new()
            .prefix("files-")
            .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
            .unwrap();
        let tree = Self { top };
        for folder in ["data/a/b", "data-private/a/b", "outside/a"] {
            fs::create_dir_all(tree.beside(folder)).unwrap();
        }
        for file in ["data/file", "data/a/file", "data/a/b/file"] {
            fs::write(tree.beside(file), INSIDE).unwrap();
        }
        for file in [
            "file",
            "data-private/file",
            "data-private/a/file",
            "outside/file",
            "outside/a/file",
        ] {
            fs::write(tree.beside(file), OUTSIDE).unwrap();
        }
        tree
    }

    /// The granted folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.beside("data")
    }

    /// A path in the folder that holds the granted one.
    pub(crate) fn beside(&self, path: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join("x").join(path)
    }

    /// Makes a link inside; `{x}` in the target is the folder above, from the system's root.
    pub(crate) fn link(&self, name: &str, target: &str) {
        let target = target.replace(
            "{x}",
            self.beside("").to_str().unwrap().trim_end_matches('/'),
        );
        symlink(target, self.data().join(name)).unwrap();
    }

    /// All that stands outside: what it is, its content, its time of change, and how many names it has.
    pub(crate) fn outside(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        list(&self.beside(""), &self.data(), &mut found);
        found
    }
}

fn list(folder: &Path, but: &Path, found: &mut BTreeMap<PathBuf, String>) {
    use std::os::unix::fs::MetadataExt;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path == but {
            continue;
        }
        let seen = fs::symlink_metadata(&path).unwrap();
        let content = if seen.is_file() {
            fs::read_to_string(&path).unwrap()
        } else {
            String::new()
        };
        // The folder above changes when links inside are swapped with it as their target: its own time does not count.
        let time = if seen.is_dir() { 0 } else { seen.mtime_nsec() };
        let line = format!(
            "{:?} {:o} {content:?} {time} {}",
            seen.file_type(),
            seen.mode(),
            seen.nlink()
        );
        if seen.is_dir() {
            list(&path, but, found);
        }
        found.insert(path, line);
    }
}
