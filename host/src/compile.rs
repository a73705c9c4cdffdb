//! Compile: judges a snippet with a confined rustc. Starts processes, writes only its own work folder and the cache.
//!
//! A snippet is judged as a whole. The compiler can read the toolchain and the SDK and write one folder; what it says is
//! used only when its own list of opened files names the snippet and nothing else.

mod abi;
mod advice;
mod ambient;
mod borrows;
mod cache;
mod casts;
mod causes;
mod clean;
mod confine;
mod conversions;
mod copied;
mod depinfo;
mod derives;
mod diagnose;
mod early;
mod finding;
mod floats;
pub(crate) mod foreign;
mod granted;
mod habits;
mod handles;
mod inference;
mod message;
mod methods;
mod noise;
mod numbers;
mod operands;
mod repair;
mod repetitions;
mod rustc;
mod signature;
mod spelling;
mod suggest;
mod suggestion;
mod symbols;
#[cfg(test)]
pub(crate) mod tests;
mod texts;
mod traits;
mod variants;
mod workspace;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::Semaphore;
use wasmparser::{Parser, Payload};

use crate::budget::CompileLimits;
use crate::diagnostic::{self, Diagnostic, Fix, Rejection, Stage};
use crate::error::Explain;
use crate::layer::{self, Layer};
use crate::scope::Scope;
use crate::snippet::{self, Snippet};
use crate::toolchain::store::{self, Kind};
use crate::toolchain::{self, Toolchain, ToolchainError};
pub(crate) use abi::CoreNames;
use cache::Verdict;
pub use confine::means::{Means, means};
use finding::Finding;
pub use foreign::ForeignError;
use rustc::Outcome;
use workspace::Workspace;

/// What came of a snippet.
#[derive(Debug)]
pub enum Judged {
    /// It compiled and linked to a core module.
    Accepted(CoreModule),
    /// It did not.
    Rejected(Rejection),
}

/// A core module that only `compile` can make.
#[derive(Debug)]
pub struct CoreModule {
    pub(crate) wasm: Vec<u8>,
    pub(crate) snippet: Snippet,
    pub(crate) repaired: Vec<Fix>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) millis: u64,
}

/// A fault of this machine or of Lacuna, never of a snippet.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The kernel has no Landlock, so a compiler could read every file of the user.
    #[error("this machine cannot confine a compiler: its kernel has no Landlock")]
    Unconfined,
    /// A folder of the cache can't be used.
    #[error("cannot {action} {}: {source}", path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A folder of the cache is not this user's alone.
    #[error(transparent)]
    Cache(#[from] ToolchainError),
    /// The disk that the cache is on is full, so the compiler could not write.
    #[error("cannot compile in {}: no space left on the disk", .0.display())]
    Full(PathBuf),
    /// A part of the SDK has changed since it was made.
    #[error("the guest SDK is damaged: {} is not what was written", .0.display())]
    Damaged(PathBuf),
    /// The compiler or linker did not start.
    #[error("cannot start the compiler: {0}")]
    Start(#[source] std::io::Error),
    /// The generated bindings of a scope do not compile.
    #[error("the bindings of this hole do not compile: {0}")]
    Bindings(String),
    /// The linker failed for a reason that no snippet can bring about.
    #[error("the linker failed: {0}")]
    Linker(String),
    /// Someone else killed the compiler, often the kernel when memory was short, and killed it again when it was run once
    /// more with no other compiler of this process beside it.
    #[error("the compiler was killed from outside, twice")]
    Killed,
    /// The compiler ended by a signal that none of its limits sends.
    #[error("the compiler ended by signal {0}")]
    Signal(i32),
}

impl CompileError {
    fn folder(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Folder {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// What to do about a full disk.
const FULL: &str = "free some space (`lacuna cache clean --all` is a start), or set LACUNA_CACHE_DIR to a folder on another disk";

impl Explain for CompileError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Unconfined => Some(
                "run on Linux 5.19 or newer, or pass --allow-unconfined-compile if you trust the model's code with your files".to_owned(),
            ),
            Self::Full(_) => Some(FULL.to_owned()),
            Self::Folder { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                Some(FULL.to_owned())
            }
            Self::Cache(error) => error.hint(),
            Self::Damaged(_) => Some("lacuna cache clean --kind sdk".to_owned()),
            Self::Folder { .. } => Some("set LACUNA_CACHE_DIR to a folder that only you can write".to_owned()),
            Self::Bindings(_) => Some("a name in the hole's WIT may be one that no Rust bindings can be made for".to_owned()),
            Self::Killed => Some(
                "the kernel does that when memory is short: free some, judge fewer holes at once, or set `limits.rustc-memory` below what this machine has to spare".to_owned(),
            ),
            Self::Start(_) | Self::Linker(_) | Self::Signal(_) => None,
        }
    }
}

/// Judges snippets with one toolchain. At most as many compilers run at once as this machine has cores.
#[derive(Debug)]
pub struct Compiler {
    toolchain: Arc<Toolchain>,
    cache: PathBuf,
    workspace: Workspace,
    /// Nobody removes bindings while this is held. `None` where the cache can only be read.
    _bindings_in_use: Option<Arc<File>>,
    landlock: bool,
    cores: u32,
    /// One permit a core; a compiler that must run alone takes all.
    running: Semaphore,
    /// Folders that no diagnostic may name.
    roots: Vec<String>,
}

/// A scope whose bindings are compiled.
#[derive(Clone, Debug)]
pub struct PreparedScope {
    bindings: PathBuf,
    names: Arc<CoreNames>,
    /// Hash of the scope that it was made from.
    scope: String,
    /// Milliseconds that it took, 0 when the cache had it.
    pub millis: u64,
}

impl Compiler {
    /// A compiler that keeps its work and its cache in `cache`, a folder that only the user can write.
    ///
    /// # Errors
    /// Fails when this machine cannot confine a compiler and `unconfined` is false, and when the folder can't be used.
    pub fn new(
        toolchain: Arc<Toolchain>,
        cache: PathBuf,
        unconfined: bool,
    ) -> Result<Self, CompileError> {
        let landlock = confine::available();
        may_compile(landlock, unconfined)?;
        for kind in [Kind::Verdicts, Kind::Bindings, Kind::Work] {
            toolchain::make_private(&cache.join(kind.name()))?;
        }
        let bindings_in_use = store::hold_bindings(&cache.join(Kind::Bindings.name()));
        let work = cache.join(Kind::Work.name());
        let workspace =
            Workspace::open(&work).map_err(|source| CompileError::folder("use", &work, source))?;
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let cores = u32::try_from(cores).unwrap_or(u32::MAX);
        let own = toolchain.rustc.parent().and_then(Path::parent);
        let roots = [cache.as_path(), toolchain.sdk.root.as_path()]
            .into_iter()
            // `/usr` would be found in texts that name no file of the toolchain.
            .chain(own.filter(|own| !own.starts_with("/usr")))
            .map(|path| path.display().to_string())
            .collect();
        Ok(Self {
            toolchain,
            cache,
            workspace,
            _bindings_in_use: bindings_in_use,
            landlock,
            cores,
            running: Semaphore::new(cores as usize),
            roots,
        })
    }

    /// Compiles the scope's bindings, or takes them from the cache. Not charged to a snippet.
    ///
    /// # Errors
    /// [`CompileError::Bindings`] when they do not compile: a fault of the generator, or of a name that it can't handle.
    pub async fn prepare(&self, scope: &Scope) -> Result<PreparedScope, CompileError> {
        let started = Instant::now();
        let key = cache::key(&[
            &scope.hash,
            &scope.bindings,
            &self.toolchain.version,
            &self.toolchain.sdk.hash,
            &rustc::settings(),
        ]);
        let folder = self.cache.join(Kind::Bindings.name()).join(key);
        let mut millis = 0;
        let bindings = match cache::read_bindings(&folder) {
            Some(bindings) => bindings,
            None => {
                let kept = match self.build_bindings(scope, &folder, 1).await {
                    Err(CompileError::Killed) => {
                        self.build_bindings(scope, &folder, self.cores).await?
                    }
                    other => other?,
                };
                millis = started.elapsed().as_millis() as u64;
                kept
            }
        };
        Ok(PreparedScope {
            bindings,
            names: Arc::new(CoreNames::of(scope)),
            scope: scope.hash.clone(),
            millis,
        })
    }

    /// Judges one snippet exactly as it was written: for source that a person gave, where no model has to be asked again.
    ///
    /// # Errors
    /// A fault of this machine, never of the snippet.
    pub async fn judge_as_written(
        &self,
        scope: &Scope,
        prepared: &PreparedScope,
        snippet: &Snippet,
        limits: &CompileLimits,
    ) -> Result<Judged, CompileError> {
        let started = Instant::now();
        let verdict = self.attempt(scope, prepared, snippet, limits).await?;
        Ok(judged(verdict, snippet.clone(), Vec::new(), started))
    }

    /// Judges one snippet. Machine-applicable suggestions are applied once, and the result is screened and judged again;
    /// if that is rejected too, the answer is about the text as it was written: its author must find the places.
    ///
    /// # Errors
    /// A fault of this machine, never of the snippet.
    pub async fn judge(
        &self,
        scope: &Scope,
        prepared: &PreparedScope,
        snippet: &Snippet,
        limits: &CompileLimits,
    ) -> Result<Judged, CompileError> {
        let started = Instant::now();
        let verdict = self.attempt(scope, prepared, snippet, limits).await?;
        if let Verdict::Rejected(findings) = &verdict
            && let Some((text, fixes)) = repair::apply(&snippet.text, findings)
            && let Ok(repaired) = snippet::from_code(&text, snippet.form, scope, limits)
        {
            let second = self.attempt(scope, prepared, &repaired, limits).await?;
            if matches!(second, Verdict::Accepted(_)) {
                return Ok(judged(second, repaired, fixes, started));
            }
        }
        Ok(judged(verdict, snippet.clone(), Vec::new(), started))
    }

    /// One run of the compiler, or what an earlier one said of the same text in the same scope.
    async fn attempt(
        &self,
        scope: &Scope,
        prepared: &PreparedScope,
        snippet: &Snippet,
        limits: &CompileLimits,
    ) -> Result<Verdict, CompileError> {
        let toolchain = &self.toolchain;
        let sizes = format!("{} {} {MOST_PARAMETERS}", limits.module, limits.function);
        // Diagnostics name what exists and is not granted, of which the scope's hash knows nothing.
        let withheld: String = (scope.imports.iter())
            .flat_map(|import| {
                import
                    .withheld
                    .iter()
                    .map(move |wit| format!("{}.{wit} ", import.label))
            })
            .collect();
        let key = cache::key(&[
            &snippet.module,
            &prepared.scope,
            &toolchain.version,
            &toolchain.sdk.hash,
            &rustc::settings(),
            &sizes,
            &diagnose::WORDING.concat(),
            &withheld,
        ]);
        let verdicts = self.cache.join(Kind::Verdicts.name());
        if let Some(verdict) = cache::read(&verdicts, &key) {
            return Ok(verdict);
        }
        let outcome = match self.build(prepared, snippet, limits, 1).await {
            // The usual killer is the kernel, when memory is short: alone there may be enough of it, and a session that
            // has cost tokens is worth the second run.
            Err(CompileError::Killed) => self.build(prepared, snippet, limits, self.cores).await?,
            other => other?,
        };
        let context = diagnose::Context {
            scope,
            snippet,
            roots: &self.roots,
        };
        let verdict = match outcome {
            Outcome::Module(wasm) => {
                match too_large(&wasm, limits).or_else(|| overlooked(&snippet.text)) {
                    None => Verdict::Accepted(wasm),
                    Some(finding) => Verdict::Rejected(vec![finding]),
                }
            }
            Outcome::Refused(messages) => {
                Verdict::Rejected(match symbols::defined_twice(&messages) {
                    functions if functions.is_empty() => diagnose::findings(&context, &messages),
                    functions => vec![symbols::named(&snippet.text, &functions)],
                })
            }
            Outcome::RefusedEarly(messages) => {
                Verdict::Rejected(early::findings(&context, &messages))
            }
            Outcome::OpenedMore => Verdict::Rejected(vec![diagnose::input()]),
            Outcome::Named(functions) => {
                Verdict::Rejected(vec![symbols::named(&snippet.text, &functions)])
            }
            Outcome::Undefined(symbols) => Verdict::Rejected(vec![undefined(&symbols)]),
            // Another machine, or the same one at another hour, may have more time and memory: not for the cache.
            Outcome::Limit(limit) => {
                let message = format!("{}; write it simpler", limit.message);
                let finding = Finding::ours("compiler-limit", message, None);
                return Ok(Verdict::Rejected(vec![match limit.name {
                    Some(name) => finding.with_help(format!("limit: {name}")),
                    None => finding,
                }]));
            }
        };
        // A cache that can't be written costs time, not the verdict.
        let _ = cache::write(&verdicts, &key, &verdict);
        Ok(verdict)
    }

    /// Runs compiler and linker in a fresh folder. `share` is how many cores' worth of compilers it stands for.
    async fn build(
        &self,
        prepared: &PreparedScope,
        snippet: &Snippet,
        limits: &CompileLimits,
        share: u32,
    ) -> Result<Outcome, CompileError> {
        let _running = self.running.acquire_many(share).await;
        let work = self.folder()?;
        let job = rustc::Job {
            toolchain: &self.toolchain,
            bindings: &prepared.bindings,
            names: &prepared.names,
            folder: work.path(),
            landlock: self.landlock,
        };
        let built = rustc::build(&job, &snippet.module, limits).await;
        if rustc::may_be_the_sdk(&built) {
            self.is_whole().await?;
        }
        built
    }

    /// Whether the SDK is what was written; a damaged one is found here, and no snippet is blamed for it.
    async fn is_whole(&self) -> Result<(), CompileError> {
        let sdk = self.toolchain.sdk.clone();
        let damaged = tokio::task::spawn_blocking(move || sdk.damaged()).await;
        match damaged {
            Ok(Some(file)) => Err(CompileError::Damaged(file)),
            _ => Ok(()),
        }
    }

    /// Compiles the bindings of a scope and keeps them in `kept`.
    async fn build_bindings(
        &self,
        scope: &Scope,
        kept: &Path,
        share: u32,
    ) -> Result<PathBuf, CompileError> {
        let _running = self.running.acquire_many(share).await;
        let work = self.folder()?;
        let (toolchain, source) = (&self.toolchain, &scope.bindings);
        let built = rustc::build_bindings(toolchain, source, work.path(), self.landlock).await;
        if matches!(
            built,
            Err(CompileError::Bindings(_) | CompileError::Signal(_))
        ) {
            self.is_whole().await?;
        }
        let library = built?;
        cache::write_bindings(kept, &library)
            .map_err(|source| CompileError::folder("write", kept, source))
    }

    fn folder(&self) -> Result<tempfile::TempDir, CompileError> {
        self.workspace.folder().map_err(|source| {
            CompileError::folder(
                "make a folder in",
                &self.cache.join(Kind::Work.name()),
                source,
            )
        })
    }
}

/// Whether snippets may be compiled on a machine that can or cannot confine, by someone who said that it need not.
fn may_compile(confined: bool, unconfined_allowed: bool) -> Result<(), CompileError> {
    if confined || unconfined_allowed {
        Ok(())
    } else {
        Err(CompileError::Unconfined)
    }
}

/// The value of a judgement that began at `started`.
fn judged(verdict: Verdict, snippet: Snippet, repaired: Vec<Fix>, started: Instant) -> Judged {
    let millis = started.elapsed().as_millis() as u64;
    match verdict {
        Verdict::Accepted(wasm) => Judged::Accepted(CoreModule {
            wasm,
            snippet,
            repaired,
            warnings: Vec::new(),
            millis,
        }),
        Verdict::Rejected(findings) => {
            let diagnostics = findings
                .into_iter()
                .map(|finding| finding.diagnostic)
                .collect();
            let (diagnostics, omitted) = diagnostic::finish(diagnostics, &snippet.text);
            Judged::Rejected(Rejection {
                stage: Stage::Compile,
                diagnostics,
                omitted,
                repaired,
                millis,
            })
        }
    }
}

/// Most parameters of a compiled function. Each call costs Cranelift time that grows with their square: a hundred calls
/// with 900 of them are half a megabyte and took it eight seconds, with a hundred of them no longer than other code.
const MOST_PARAMETERS: usize = 128;

/// The word that the lint lets pass where it sees no harm in it.
fn overlooked(text: &str) -> Option<Finding> {
    if layer::stands(Layer::Lint) {
        symbols::overlooked(text)
    } else {
        None
    }
}

/// Cranelift runs in process and cannot be interrupted, so what it is given is bounded.
fn too_large(wasm: &[u8], limits: &CompileLimits) -> Option<Finding> {
    let over = |name: &str, used: u64, at: u64| {
        Finding::ours(
            "compiler-limit",
            format!("the compiled code is too large: {used} bytes, `{name}` allows {at}"),
            None,
        )
        .with_help(format!("limit: {name}"))
    };
    if wasm.len() as u64 > limits.module {
        return Some(over("module", wasm.len() as u64, limits.module));
    }
    let (mut function, mut parameters) = (0, 0);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::CodeSectionEntry(body)) => {
                function = function.max(body.range().len() as u64);
            }
            Ok(Payload::TypeSection(types)) => {
                let types = types.into_iter_err_on_gc_types().flatten();
                let most = types.map(|ty| ty.params().len()).max();
                parameters = parameters.max(most.unwrap_or(0));
            }
            _ => {}
        }
    }
    if parameters > MOST_PARAMETERS {
        let message = format!(
            "a function takes {parameters} parameters as compiled, at most {MOST_PARAMETERS} can be"
        );
        return Some(
            Finding::ours("compiler-limit", message, None)
                .with_help("pass a struct, an array or a slice (a string or slice counts as two)"),
        );
    }
    (function > limits.function).then(|| over("function", function, limits.function))
}

/// Something outside the prelinked set, or a name that the snippet invented with a trick: nothing defines it.
fn undefined(symbols: &[String]) -> Finding {
    let finding = Finding::ours(
        "undefined-symbol",
        "the code needs something that does not exist in a hole",
        None,
    );
    symbols.iter().take(4).fold(finding, |finding, symbol| {
        finding.with_help(format!("nothing defines `{symbol}`"))
    })
}
