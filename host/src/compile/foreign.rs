//! Wasm that our own rustc did not make: compiled by a child that can be killed.
//!
//! Cranelift runs in process and cannot be interrupted; a hand-made module of a megabyte keeps it busy for minutes. What a
//! snippet compiles to is bounded by opt-level 0 and by the limits of a module. Any other wasm is a component that
//! somebody else made, so it goes through `lacuna compile-component`, which is confined like rustc: no environment, no
//! network, one folder that it may write, CPU time, wall time and memory bounded, killed with its process group.

#![expect(
    clippy::disallowed_methods,
    reason = "finds the program, and reads the file that it wrote"
)]

use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::confine::{self, Confinement, Finished, Input, Stopped};
use super::workspace::Workspace;
use crate::budget::ComponentLimits;
use crate::diagnostic::escape_controls;
use crate::environment;
use crate::error::Explain;
use crate::toolchain::{self, store::Kind};
use crate::trace::figures;

/// The command of the binary that compiles standard input; it is hidden, being no use to people.
pub(crate) const COMMAND: &str = "compile-component";

/// The file that it writes, in its current folder.
pub(crate) const OUTPUT: &str = "component.cwasm";

/// Bytes that the child reads at most: what a manifest may allow beyond is refused by the engine as cut short.
pub(crate) const LARGEST_INPUT: u64 = 4 * 1024 * 1024 * 1024;

/// Begins what the child says about the wasm, which is not a fault of the machine.
pub(crate) const REFUSED: &str = "refused: ";

/// Bytes of the child's words that are read.
const WORDS: usize = 16 * 1024;

/// Bytes of the largest file of compiled code. Machine code of opt-level 0 is some 5 to 20 times its wasm.
const LARGEST_CODE: u64 = 512 * 1024 * 1024;

/// Name of the binary.
const PROGRAM: &str = "lacuna";

/// Why a component was not compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignError {
    /// The child met one of its limits.
    #[error("compiling it took more than `{name}` allows ({at})")]
    Limit {
        /// Key of `[limits]`.
        name: &'static str,
        /// Its value, for people.
        at: String,
    },
    /// The engine does not take the wasm.
    #[error("the engine refuses it: {0}")]
    Refused(String),
    /// There is no program that could compile it.
    #[error("there is no `{PROGRAM}` program to compile it with")]
    NoProgram,
    /// The kernel has no Landlock.
    #[error("this machine cannot confine a compiler: its kernel has no Landlock")]
    Unconfined,
    /// The child could not be started, or its code could not be read.
    #[error("cannot compile it: {0}")]
    Machine(String),
}

impl Explain for ForeignError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Limit { name, .. } => Some(format!(
                "raise `{name}` in [limits] if the component is to be trusted with it"
            )),
            Self::NoProgram => Some(
                "put `lacuna` beside this program or on PATH, or name it with `Lacuna::builder().compiler_process(…)`"
                    .to_owned(),
            ),
            Self::Unconfined => Some(
                "run on Linux 5.19 or newer, or pass --allow-unconfined-compile if you trust the component with your files"
                    .to_owned(),
            ),
            Self::Refused(_) | Self::Machine(_) => None,
        }
    }
}

/// What the child is to do, beside the wasm.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    /// The program; found where it is usual if absent.
    pub(crate) program: Option<&'a Path>,
    /// Its arguments behind [`COMMAND`]: the engine's settings.
    pub(crate) settings: Vec<String>,
    /// Folder of the cache, for the work folder.
    pub(crate) cache: &'a Path,
    /// What it may use.
    pub(crate) limits: &'a ComponentLimits,
    /// Whether it may run where this machine cannot confine it.
    pub(crate) unconfined: bool,
}

/// Compiles a component in a child and gives the compiled code. Dropping the future kills the child.
///
/// # Errors
/// [`ForeignError`]: a limit, wasm that the engine refuses, or a fault of this machine.
pub(crate) async fn compile(order: Order<'_>, wasm: Vec<u8>) -> Result<Vec<u8>, ForeignError> {
    let landlock = confine::available();
    if !landlock && !order.unconfined {
        return Err(ForeignError::Unconfined);
    }
    let program = match order.program {
        Some(program) => program.to_owned(),
        None => find().ok_or(ForeignError::NoProgram)?,
    };
    // A relative name would be looked for in the work folder.
    let program = std::path::absolute(&program).map_err(machine)?;
    let work = order.cache.join(Kind::Work.name());
    toolchain::make_private(&work).map_err(|error| ForeignError::Machine(error.to_string()))?;
    let workspace = Workspace::open(&work).map_err(machine)?;
    let folder = workspace.folder().map_err(machine)?;
    let limits = order.limits;
    let mut arguments = vec![COMMAND.to_owned()];
    arguments.extend(order.settings);
    let finished = confine::run(
        program,
        arguments,
        Input::Bytes(wasm),
        Confinement {
            // Its libraries, where they are not those of the system.
            readable: vec![PathBuf::from("/nix/store")],
            folder: folder.path().to_owned(),
            landlock,
            cpu: limits.cpu,
            wall: limits.wall,
            memory: limits.memory,
            files: LARGEST_CODE,
            output: WORDS,
        },
    )
    .await;
    judge(finished, limits)?;
    let file = folder.path().join(OUTPUT);
    let code = tokio::task::spawn_blocking(move || read(&file)).await;
    code.map_err(|error| ForeignError::Machine(error.to_string()))?
        .map_err(machine)
}

/// What came of the child.
fn judge(
    finished: Result<Finished, Stopped>,
    limits: &ComponentLimits,
) -> Result<(), ForeignError> {
    let limit = |name, at| Err(ForeignError::Limit { name, at });
    let finished = match finished {
        Ok(finished) => finished,
        Err(Stopped::Wall) => return limit("component-wall", seconds(limits.wall)),
        Err(Stopped::Machine(source)) => return Err(machine(source)),
    };
    if finished.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&finished.stderr);
    // Names of the component may be quoted in them.
    let words = escape_controls(text.lines().next().unwrap_or_default());
    match confine::signal_of(finished.status) {
        Some(libc::SIGXCPU) => limit("component-cpu", seconds(limits.cpu)),
        // Rust's allocator and Cranelift end the process when there is no more memory.
        Some(libc::SIGABRT | libc::SIGSEGV | libc::SIGBUS) => {
            limit("component-memory", figures::size(limits.memory))
        }
        Some(libc::SIGXFSZ) => Err(ForeignError::Refused(format!(
            "its machine code is larger than {}",
            figures::size(LARGEST_CODE)
        ))),
        Some(signal) => Err(ForeignError::Machine(format!(
            "the process was ended by signal {signal}"
        ))),
        None => Err(match words.strip_prefix(REFUSED) {
            Some(reason) => ForeignError::Refused(reason.to_owned()),
            None => ForeignError::Machine(format!("{}: {words}", finished.status)),
        }),
    }
}

fn machine(error: std::io::Error) -> ForeignError {
    ForeignError::Machine(error.to_string())
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

/// The file that the child wrote: a plain one, and no link to another.
fn read(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut opened = std::fs::OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(file)?;
    let found = opened.metadata()?;
    if !found.is_file() || found.nlink() != 1 {
        return Err(std::io::Error::other("the process wrote no plain file"));
    }
    let mut code = Vec::new();
    opened.read_to_end(&mut code)?;
    Ok(code)
}

/// This program if it is `lacuna`, else the one beside it, else the first on PATH.
fn find() -> Option<PathBuf> {
    let own = std::env::current_exe().ok();
    if let Some(own) = &own
        && own.file_name().is_some_and(|name| name == PROGRAM)
    {
        return Some(own.clone());
    }
    let beside = own
        .as_deref()
        .and_then(Path::parent)
        .map(|folder| folder.join(PROGRAM));
    let on_path = std::env::var_os(environment::PATH)
        .map(|path| std::env::split_paths(&path).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        // An entry that is relative would be a program of the current folder.
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(PROGRAM));
    beside
        .into_iter()
        .chain(on_path)
        .find(|file| file.is_file())
}
