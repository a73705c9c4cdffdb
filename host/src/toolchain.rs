//! The Rust toolchain on this machine, and the SDK that is compiled with it on first use.

mod archive;
mod build;
mod cache;
mod contents;
mod discover;
mod error;
mod examine;
mod retire;
mod stop;
pub mod store;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) use cache::make_private;
pub use cache::{cache_folder, cache_place};
pub(crate) use error::quoted;
pub use error::{Replaceable, ToolchainError};
pub use examine::{CacheState, Examined, Installed, Sdks, examine, look_at_cache, program};
pub use stop::Stop;

/// The target that snippets are compiled for. wasip2 would import 13 `wasi:*` interfaces in a guest that does nothing.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Oldest rustc that compiles the SDK.
pub const OLDEST_RUSTC: (u32, u32) = (1, 95);

/// Name of the crate of a scope's bindings, one that no snippet may write ([`BINDINGS_FLAGS`] gives it).
pub const BINDINGS_CRATE: &str = "__lacuna_bindings";

/// No `unsafe`, no foreign functions, no symbol and section names, whatever a snippet allows itself.
pub const UNSAFE_LINT: &str = "-Funsafe_code";

/// How a snippet is compiled, up to the paths: `rustc --sysroot S <these> --extern std=… --extern core=…
/// --extern alloc=… --extern bindings=… -L dependency=… --error-format=json --emit=dep-info=o.d,obj=o.o hole.rs`.
///
/// `opt-level=0` is a safety rule (Cranelift runs in process, and optimised code can be made to take it minutes).
/// `-C debug-assertions=no` leaves out the functions that check for undefined behaviour in std's generic code, which
/// safe code can't need; the `--cfg` beside it keeps `debug_assert!` and `cfg!(debug_assertions)` as a model expects
/// them. Never `--cap-lints`: it switches `-F unsafe_code` off.
pub const SNIPPET_FLAGS: &[&str] = &[
    "--edition=2024",
    "--target=wasm32-unknown-unknown",
    "--crate-type=cdylib",
    "--crate-name=hole",
    UNSAFE_LINT,
    "-Awarnings",
    "-Aexplicit_builtin_cfgs_in_flags",
    "-Cpanic=abort",
    "-Copt-level=0",
    "-Ccodegen-units=1",
    "-Cdebug-assertions=no",
    "-Coverflow-checks=yes",
    "--cfg=debug_assertions",
];

/// How a scope's bindings are compiled, up to the paths: `rustc --sysroot S <these> --extern lacuna_rt=… -o
/// libbindings.rlib bindings.rs`.
///
/// They are 2021 so that WIT names which are keywords since (`gen`) work, and not optimised so that a snippet can
/// share their generic instances; the passes clean up what that leaves.
pub const BINDINGS_FLAGS: &[&str] = &[
    "--edition=2021",
    "--target=wasm32-unknown-unknown",
    "--crate-type=rlib",
    // No snippet can write this name, not even in pieces that a macro puts together: the screen knows it.
    "--crate-name=__lacuna_bindings",
    "-Awarnings",
    "-Cpanic=abort",
    "-Copt-level=0",
    "-Ccodegen-units=1",
    "-Cdebug-assertions=no",
    // A shared instance of `sum` has the checks of the crate that it was compiled in.
    "-Coverflow-checks=yes",
    "-Cembed-bitcode=no",
    CLEAN_PASSES,
];

/// LLVM passes that tidy unoptimised code without inlining, so that its instances stay shareable.
pub const CLEAN_PASSES: &str =
    "-Cpasses=function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,adce)";

/// Bytes of the guest's own stack. It lies below everything else, so that running over its end is a memory fault at
/// address 0 and not a write into data.
pub const GUEST_STACK: u32 = 1 << 20;

/// How a module is linked: `rust-lld <these> --export=NAME… o.o libbindings.rlib <Sdk::prelinked> -o hole.wasm`.
///
/// Without `--allow-undefined`, which rustc would pass: an undefined symbol is an error, not an import. The memory is
/// exported as `memory` by itself; each export of the bindings (`export:run`, `export:cabi_post_run`) needs an
/// `--export` of its own. The module that comes out imports the console at most, and what the bindings import.
pub const LINK_FLAGS: &[&str] = &[
    "-flavor",
    "wasm",
    "--no-entry",
    "--gc-sections",
    "--strip-all",
    "--no-demangle",
    "--stack-first",
    "-z",
    "stack-size=1048576",
    "--export=cabi_realloc",
];

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
///
/// A snippet is compiled with [`SNIPPET_FLAGS`] and linked with [`LINK_FLAGS`]; the whole command lines stand there.
/// The object has everything of std, so nothing else of the sysroot is given to the linker.
///
/// The guest's runtime reports a panic as its message and, when the place is in `snippet.rs`, a last line
/// `at LINE:COLUMN` in that file's coordinates (which count the lines that the scope puts before the model's text).
/// `lacuna_rt::flush()` sends an unfinished line of `print!`; the glue of each export calls it before it returns.
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
    /// A lock shared by all processes that use this folder: none of them has it removed under its feet. `None` where
    /// the cache can only be read.
    in_use: Option<Arc<File>>,
}

impl Sdk {
    /// The first file that is not, byte for byte, what was written when the SDK was made. Reads all of them: some hundred
    /// megabytes.
    pub fn damaged(&self) -> Option<PathBuf> {
        contents::damaged(&self.root)
    }
}

/// Finds rustc, installs the wasm target through rustup if it is missing, and compiles the SDK if this toolchain has
/// not compiled it yet. `notify` gets a line before each thing that takes long.
///
/// The result depends on nothing in the environment but PATH, HOME, RUSTUP_HOME and CARGO_HOME. Two processes may do
/// this at once: one compiles, the other waits.
///
/// # Errors
/// When there is no usable rustc or target, or the SDK can't be compiled or stored.
pub fn prepare(cache: &Path, notify: &mut dyn FnMut(&str)) -> Result<Toolchain, ToolchainError> {
    prepare_until(&Stop::default(), cache, notify)
}

/// As [`prepare`], and can be stopped from another thread; it then ends with some error soon.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_until(
    stop: &Stop,
    cache: &Path,
    notify: &mut dyn FnMut(&str),
) -> Result<Toolchain, ToolchainError> {
    let compiler = discover::compiler(stop, cache)?;
    let target = discover::target(stop, &compiler, notify)?;
    let sdk = build::sdk(stop, &compiler, &target, cache, notify)?;
    Ok(Toolchain {
        readable: compiler.readable(),
        rustc: compiler.rustc,
        lld: compiler.lld,
        version: compiler.version,
        sdk,
    })
}
