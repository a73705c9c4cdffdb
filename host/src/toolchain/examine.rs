//! Looking at toolchain and cache without changing anything: what `lacuna doctor` tells.
#![expect(
    clippy::disallowed_methods,
    reason = "looks at the toolchain and the cache folder"
)]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::store::Kind;
use super::{Stop, ToolchainError, build, cache, contents, discover};
use crate::environment;

/// What of a toolchain is there.
#[derive(Debug)]
pub struct Examined {
    /// `rustup` on PATH.
    pub rustup: Option<PathBuf>,
    /// The folder where rustup puts its programs, when `rustc` is there and not on PATH.
    pub beside_path: Option<PathBuf>,
    /// The compiler with its linker.
    pub compiler: Result<Installed, ToolchainError>,
    /// The wasm target's libraries; not looked for without a compiler.
    pub target: Option<Result<PathBuf, ToolchainError>>,
    /// The compiled SDK; not looked for without a compiler and a cache.
    pub sdk: Option<Sdks>,
}

/// A compiler that can be used.
#[derive(Debug)]
pub struct Installed {
    /// The real compiler, not a rustup shim.
    pub rustc: PathBuf,
    /// Its `rust-lld`.
    pub lld: PathBuf,
    /// First line of `rustc -vV`.
    pub version: String,
}

/// The state of the SDK for this compiler.
#[derive(Debug)]
pub enum Sdks {
    /// The first run will compile it.
    Absent,
    /// Every file is what was written.
    Whole(PathBuf),
    /// The first file that is not.
    Damaged(PathBuf),
}

/// The cache folder, which need not exist.
#[derive(Debug)]
pub struct CacheState {
    /// Where it is or would be made.
    pub folder: PathBuf,
    /// Whether it is there.
    pub exists: bool,
    /// Bytes that this user may still write on its disk.
    pub free: u64,
    /// Files that may still be made; `None` where the disk does not count them.
    pub free_files: Option<u64>,
}

/// Looks at the toolchain, and at the SDK in `cache` if that is a folder. Reads every file of the SDK.
pub fn examine(cache: Option<&Path>) -> Examined {
    let stop = Stop::default();
    let folder = cache.filter(|folder| folder.is_dir());
    let found = discover::compiler(&stop, folder.unwrap_or(Path::new("/")));
    let target = found.as_ref().ok().map(discover::installed_target);
    let sdk = found.as_ref().ok().zip(cache).map(|(compiler, cache)| {
        let place = build::place(compiler, cache);
        match contents::damaged(&place) {
            _ if !place.exists() => Sdks::Absent,
            None => Sdks::Whole(place),
            Some(file) => Sdks::Damaged(file),
        }
    });
    Examined {
        rustup: program("rustup"),
        beside_path: program("rustc").is_none().then(rustups_folder).flatten(),
        compiler: found.map(|compiler| Installed {
            rustc: compiler.rustc,
            lld: compiler.lld,
            version: compiler.version,
        }),
        target,
        sdk,
    }
}

/// Looks at the cache folder, and at what of it exists above it.
///
/// # Errors
/// Why it could not be used: as [`super::cache_folder`], which would make it.
pub fn look_at_cache(given: Option<&Path>) -> Result<CacheState, ToolchainError> {
    let folder = cache::cache_place(given)?;
    let unwritable = |source: io::Error| ToolchainError::CacheUnwritable {
        folder: folder.clone(),
        source,
    };
    let absolute = std::path::absolute(&folder).map_err(unwritable)?;
    cache::is_text(&absolute)?;
    let there = absolute
        .ancestors()
        .find(|path| path.symlink_metadata().is_ok())
        .unwrap_or(Path::new("/"));
    let resolved = there.canonicalize().map_err(unwritable)?;
    cache::is_text(&resolved)?;
    if !resolved.is_dir() {
        return Err(unwritable(io::ErrorKind::NotADirectory.into()));
    }
    let exists = there == absolute;
    if exists {
        cache::check_private(&resolved)?;
        for kind in Kind::ALL {
            let inner = resolved.join(kind.name());
            if inner.exists() {
                cache::check_private(&inner)?;
            }
        }
        cache::cannot_be_replaced(&resolved)?;
    } else {
        cache::cannot_be_replaced(&resolved.join("new"))?;
    }
    let access = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    rustix::fs::access(&resolved, access).map_err(|error| unwritable(error.into()))?;
    let disk = rustix::fs::statvfs(&resolved).map_err(|error| unwritable(error.into()))?;
    Ok(CacheState {
        folder: if exists { resolved } else { absolute },
        exists,
        free: disk.f_bavail.saturating_mul(disk.f_frsize),
        free_files: (disk.f_files > 0).then_some(disk.f_favail),
    })
}

/// The first program of this name on PATH, or the program that a path names.
pub fn program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        let file = PathBuf::from(name);
        return discover::is_program(&file).then_some(file);
    }
    discover::on_path(name)
}

/// `CARGO_HOME/bin`, else `HOME/.cargo/bin`, when there is a `rustc` in it.
fn rustups_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = set(environment::CARGO_HOME)
        .map(PathBuf::from)
        .or_else(|| set(environment::HOME).map(|home| PathBuf::from(home).join(".cargo")))?;
    let folder = home.join("bin");
    let there = folder.is_absolute() && fs::metadata(folder.join("rustc")).is_ok();
    there.then_some(folder)
}
