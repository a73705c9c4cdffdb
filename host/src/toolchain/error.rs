//! What can be wrong with a machine's toolchain.

use std::io;
use std::path::{Path, PathBuf};

use super::{OLDEST_RUSTC, TARGET};
use crate::error::Explain;

/// Why no snippet can be judged on this machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolchainError {
    /// Neither a variable nor a home says where the cache is.
    #[error("no folder for the cache: neither LACUNA_CACHE_DIR, XDG_CACHE_HOME nor HOME is set")]
    NoCacheFolder,
    /// The compiler is told of folders in texts.
    #[error("the path of the cache folder `{}` is not UTF-8, which rustc needs", folder.display())]
    CacheNotText {
        /// The folder.
        folder: PathBuf,
    },
    /// The cache can't be made or written.
    #[error("cannot write to the cache folder `{}`: {source}", folder.display())]
    CacheUnwritable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The cache can't be looked at.
    #[error("cannot read the cache folder `{}`: {source}", folder.display())]
    CacheUnreadable {
        /// The folder.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Compiled code is loaded from the cache, so nobody else may write there.
    #[error("the cache folder `{}` can be written by other users", folder.display())]
    CacheOpen {
        /// The folder.
        folder: PathBuf,
    },
    /// The cache belongs to another user.
    #[error("the cache folder `{}` belongs to another user", folder.display())]
    CacheForeign {
        /// The folder.
        folder: PathBuf,
    },
    /// Someone else can put another folder in the place of the cache.
    #[error("the cache folder `{}` can be replaced by another user: {}", folder.display(), why.said(parent))]
    CacheReplaceable {
        /// The cache.
        folder: PathBuf,
        /// The folder above it that decides.
        parent: PathBuf,
        /// How.
        why: Replaceable,
    },
    /// A folder of the cache is a link, so what is behind it is someone else's.
    #[error("`{}` is a symbolic link: nothing behind it is removed", folder.display())]
    CacheLinked {
        /// The link.
        folder: PathBuf,
    },
    /// A folder is no cache of Lacuna's, so nothing in it is touched.
    #[error("`{}` is no cache of Lacuna: it has `{found}`", folder.display())]
    NotACache {
        /// The folder.
        folder: PathBuf,
        /// What a cache would not have.
        found: String,
    },
    /// No `rustc` on PATH.
    #[error("rustc was not found on PATH")]
    NoRustc,
    /// A rustc that does not run.
    #[error("`{}` does not run: {message}", rustc.display())]
    BrokenRustc {
        /// The program.
        rustc: PathBuf,
        /// What it said.
        message: String,
    },
    /// Another program of that name.
    #[error("`{}` is not a Rust compiler: {answer}", program.display())]
    NotRustc {
        /// The program.
        program: PathBuf,
        /// Which of its answers is not a compiler's.
        answer: &'static str,
    },
    /// Too old for the SDK.
    #[error("rustc {found} is too old, Lacuna needs {}.{}", OLDEST_RUSTC.0, OLDEST_RUSTC.1)]
    OldRustc {
        /// Its version.
        found: String,
    },
    /// The wasm target is not installed, and rustup could not do it.
    #[error("the target {TARGET} is not installed for `{}`{}", rustc.display(), because(message))]
    NoTarget {
        /// The compiler.
        rustc: PathBuf,
        /// Name of the rustup toolchain, if it is one.
        toolchain: Option<String>,
        /// What rustup said, if it was asked.
        message: String,
    },
    /// The toolchain came without its linker.
    #[error("the linker `{}` is missing", expected.display())]
    NoLinker {
        /// Where it should be.
        expected: PathBuf,
    },
    /// The SDK does not compile.
    #[error("the guest SDK did not compile ({step}): {message}")]
    Sdk {
        /// What was being made.
        step: String,
        /// What the tool said.
        message: String,
    },
    /// Someone else killed the compiler that made the SDK, often the kernel when memory was short.
    #[error("the compiler of the guest SDK was killed from outside ({step})")]
    Killed {
        /// What was being made.
        step: String,
    },
    /// A library of the toolchain can't be read as one.
    #[error("`{}` is no library: {message}", file.display())]
    Library {
        /// The file.
        file: PathBuf,
        /// Why.
        message: String,
    },
}

/// How another user could replace a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaceable {
    /// A folder above it can be written by others.
    Open,
    /// A folder above it belongs to another user.
    Foreign,
}

impl Replaceable {
    fn said(self, parent: &Path) -> String {
        let parent = parent.display();
        match self {
            Self::Open => format!("others can write `{parent}`"),
            Self::Foreign => format!("`{parent}` belongs to another user"),
        }
    }
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn because(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

impl Explain for ToolchainError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::CacheNotText { .. } => {
                "set LACUNA_CACHE_DIR to a folder whose whole path is UTF-8".into()
            }
            Self::NoCacheFolder => "set LACUNA_CACHE_DIR to a folder that only you can write".into(),
            Self::CacheUnwritable { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "the disk is full: free some space (the SDK takes about 60 MB), or set LACUNA_CACHE_DIR to a folder on another disk".into()
            }
            Self::CacheUnwritable { .. } | Self::CacheForeign { .. } => {
                "set LACUNA_CACHE_DIR to a folder that you can write".into()
            }
            // What others may have put there goes too.
            Self::CacheOpen { folder } => format!(
                "chmod go-w {0} && lacuna cache clean --all --cache-dir {0}",
                quoted(folder)
            ),
            Self::CacheReplaceable { parent, why: Replaceable::Open, .. } => format!(
                "chmod go-w {}\nor set LACUNA_CACHE_DIR to a folder that only you can reach",
                quoted(parent)
            ),
            Self::CacheReplaceable { .. } => {
                "set LACUNA_CACHE_DIR to a folder of yours, below folders of yours".into()
            }
            Self::CacheLinked { .. } => {
                "remove the link itself, or clean the folder that it leads to".into()
            }
            Self::NotACache { .. } | Self::CacheUnreadable { .. } => {
                "`lacuna cache path` prints the folder that is used; `--cache-dir` names another".into()
            }
            Self::NoRustc => "install Rust from https://rustup.rs".into(),
            Self::BrokenRustc { .. } => "try `rustc -vV`; `rustup default stable` chooses a toolchain".into(),
            Self::NotRustc { .. } => {
                "`which -a rustc` lists the programs of that name on PATH; Rust's own must come first".into()
            }
            Self::OldRustc { .. } => "rustup update".into(),
            Self::NoTarget { toolchain, .. } => match toolchain {
                Some(name) => format!("rustup target add {TARGET} --toolchain {name}"),
                None => format!(
                    "install the standard library for {TARGET} with your system's packages, or install Rust through rustup and run `rustup target add {TARGET}`"
                ),
            },
            Self::NoLinker { .. } => "toolchains installed through rustup have it".into(),
            Self::Sdk { .. } => format!(
                "this release of Lacuna is tested with rustc {}.{}",
                OLDEST_RUSTC.0, OLDEST_RUSTC.1
            ),
            Self::Killed { .. } => {
                "the kernel does that when memory is short: free some and try again".into()
            }
            Self::Library { .. } => "reinstall the toolchain".into(),
        })
    }
}
