//! What Lacuna compiles with rustc on first use: the curated `std`, `core` and `alloc`, and the runtime of the
//! bindings; and the built-in WIT packages.
//!
//! The crate only carries the texts, so that `cargo package` has them and the host needs no files at run time.
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "unit tests compare the lists with the files"
    )
)]

mod names;

pub use names::STD_NAMES;

macro_rules! texts {
    ($folder:literal: $($path:literal),* $(,)?) => {
        &[$( ($path, include_str!(concat!($folder, $path))) ),*]
    };
}

/// Sources of the guest's crates: path below `src`, text. Each folder is a crate; its root is `lib.rs`.
pub const SOURCES: &[(&str, &str)] = texts!["":
    "alloc/lib.rs",
    "core/lib.rs",
    "rt/allocator.rs",
    "rt/console.rs",
    "rt/flags.rs",
    "rt/instances.rs",
    "rt/lib.rs",
    "rt/memory.rs",
    "rt/nexts.rs",
    "rt/resource.rs",
    "rt/sort.rs",
    "std/alloc.rs",
    "std/ffi.rs",
    "std/io.rs",
    "std/keep.rs",
    "std/lib.rs",
    "std/log.rs",
    "std/net.rs",
    "std/panic.rs",
    "std/path.rs",
    "std/path/components.rs",
    "std/path/conversions.rs",
    "std/prelude.rs",
    "std/ptr.rs",
    "std/sort.rs",
    "std/sync.rs",
    "std/thread.rs",
    "std/time.rs",
];

/// The built-in WIT packages: path below `wit`, text.
pub const WIT: &[(&str, &str)] = texts!["../wit/": "clock/clock.wit", "fs/fs.wit", "hole/console.wit", "http/http.wit", "kv/kv.wit", "random/random.wit", "sql/sql.wit", "text/text.wit"];

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    fn files(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, into);
            } else {
                into.push(path);
            }
        }
    }

    fn listed(folder: &str, crates_only: bool) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut paths = Vec::new();
        files(&root, &mut paths);
        let mut names: Vec<String> = paths
            .iter()
            .map(|path| {
                path.strip_prefix(&root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned()
            })
            .filter(|name| !crates_only || name.contains('/'))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn every_source_is_carried() {
        let carried: Vec<&str> = super::SOURCES.iter().map(|(path, _)| *path).collect();
        assert_eq!(carried, listed("src", true));
    }

    #[test]
    fn every_wit_file_is_carried() {
        let carried: Vec<&str> = super::WIT.iter().map(|(path, _)| *path).collect();
        assert_eq!(carried, listed("wit", false));
    }

    #[test]
    fn names_are_sorted_and_their_paths_end_in_them() {
        assert!(super::STD_NAMES.is_sorted());
        for (name, path) in super::STD_NAMES {
            assert!(path.ends_with(&format!("::{name}")), "{name} → {path}");
        }
    }
}
