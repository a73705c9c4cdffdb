//! The Rust toolchain on this machine, and the SDK that is compiled with it on first use.

use std::path::PathBuf;

/// A toolchain that can judge snippets: rustc with the wasm target, and the compiled SDK.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The real compiler, not a rustup shim.
    pub rustc: PathBuf,
    /// `rust-lld` of that toolchain.
    pub lld: PathBuf,
    /// First line of `rustc -vV` with the commit, as it stands in `hash.toolchain`.
    pub version: String,
    /// Folders that rustc must be able to read to run (its own `lib`, the system's libraries).
    pub readable: Vec<PathBuf>,
    /// The compiled SDK.
    pub sdk: Sdk,
}

/// The SDK as compiled for one toolchain, in a folder of the user's cache that only the user can write.
#[derive(Clone, Debug)]
pub struct Sdk {
    /// Root of it; everything below stands in it.
    pub root: PathBuf,
    /// Own sysroot: only `lib/rustlib/wasm32-unknown-unknown/lib` (and a link to `rust-lld`).
    pub sysroot: PathBuf,
    /// The curated `std`, `core`, `alloc` as rlibs: `--extern std=…`.
    pub std: PathBuf,
    /// See `std`.
    pub core: PathBuf,
    /// See `std`.
    pub alloc: PathBuf,
    /// Folder with `liblacuna_rt.rlib` (and nothing that a snippet may not load): `-L dependency=…`.
    pub dependencies: PathBuf,
    /// One prelinked wasm object of std, alloc, core, dlmalloc, hashbrown, compiler_builtins, facade and runtime.
    pub prelinked: PathBuf,
    /// blake3 of SDK sources and `rustc -vV`; part of every scope's hash.
    pub hash: String,
}

// Interface:
// pub fn cache_folder(given: Option<&Path>) -> Result<PathBuf, ToolchainError>;   LACUNA_CACHE_DIR, XDG_CACHE_HOME/lacuna, HOME/.cache/lacuna; 0700, refused if others can write
// pub fn prepare(cache: &Path, notify: &mut dyn FnMut(&str)) -> Result<Toolchain, ToolchainError>;  blocking; finds rustc, installs the target through rustup, compiles the SDK once (file lock)
