//! Sandbox: runs a linked component in wasmtime with exactly its imports and every limit on.
//!
//! A [`Program`] is compiled code with its imports linked; an [`Instance`] is one `Store` of it. Instances share
//! nothing but code, and an instance whose call failed, met a limit or was cancelled is gone.
//!
//! | limit | held by |
//! |---|---|
//! | `fuel` | wasmtime's counter, refilled for each call |
//! | `wall` | the epoch ticker for guest code, a timer for everything around it |
//! | `memory`, `tables` | the store's limiter, added up over all memories and tables |
//! | `stack` | the engine, and the guest's own stack in linear memory (see [`instance`]) |
//! | `host-calls`, `host-call-wall`, `crossing`, `log`, `entries`, `staged`, `staged-keys` | `capability`, around every call |
//! | `result` | weighed here |
//! | `handles` | `capability` for what tools give out; for the guest's own and what is lent, wasmtime's count at three times as many |

mod cache;
mod engine;
pub(crate) mod foreign;
mod functions;
mod instance;
mod stack;
mod ticker;
mod tool;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wasmtime::component::{Component, InstancePre, Linker};

use crate::budget::RunLimits;
use crate::capability;
pub use crate::capability::{CapabilityError, Failure, FailureKind, HostCall, Observer};
use crate::compile::foreign::ForeignError;
use crate::error::{Explain, Place};
use crate::link::LinkedComponent;
use crate::scope::{Scope, ScopeImport};
use capability::host::Host;
use capability::services::Services;
use engine::Engines;
use foreign::Compiling;
pub use instance::{Call, Instance, Report};

/// Why a component can't be made ready to run. None of these is the fault of a snippet that `link` accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The engine can't be made with these limits.
    #[error("cannot set up the WebAssembly engine: {0}")]
    Engine(String),
    /// The engine does not take the component: it uses a WebAssembly feature that is off, or is malformed.
    #[error("the engine refuses the component: {0}")]
    Refused(String),
    /// A component that serves as a tool can't be compiled.
    #[error("cannot use the component `{}`: {error}", file.display())]
    Foreign {
        /// The component.
        file: PathBuf,
        /// Why.
        #[source]
        error: ForeignError,
    },
    /// An import can't be served.
    #[error(transparent)]
    Capability(#[from] CapabilityError),
}

impl Explain for SandboxError {
    fn place(&self) -> Option<&Place> {
        match self {
            Self::Capability(error) => error.place(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Engine(_) => Some("check `stack` in [limits]".to_owned()),
            Self::Refused(_) => None,
            Self::Foreign { error, .. } => error.hint(),
            Self::Capability(error) => error.hint(),
        }
    }
}

/// The engines of this process. Clones share them.
#[derive(Clone, Debug)]
pub struct Sandbox {
    engines: Arc<Engines>,
    compiling: Arc<Compiling>,
}

impl Sandbox {
    /// Makes the engine for the default limits.
    ///
    /// # Errors
    ///
    /// [`SandboxError::Engine`] when wasmtime does not support this machine.
    pub fn new() -> Result<Self, SandboxError> {
        let engines = Arc::new(Engines::default());
        engines.with_stack(RunLimits::default().stack)?;
        Ok(Self {
            engines,
            compiling: Arc::default(),
        })
    }

    /// The same with the program that compiles foreign wasm, found where it is usual if absent, and whether it may run
    /// unconfined where this machine cannot confine it.
    pub(crate) fn compiling_with(mut self, program: Option<PathBuf>, unconfined: bool) -> Self {
        self.compiling = Arc::new(Compiling {
            program,
            unconfined,
        });
        self
    }

    /// Compiles a component, or takes its compiled code from `cache`, and links its imports as `scope` grants them.
    ///
    /// `cache` is a folder that only this user can write; another one is not used. Must be called in a Tokio runtime.
    ///
    /// # Errors
    ///
    /// [`SandboxError`] when the component or an import can't be served.
    pub async fn load(
        &self,
        component: &LinkedComponent,
        scope: Arc<Scope>,
        limits: &RunLimits,
        cache: Option<&Path>,
    ) -> Result<Program, SandboxError> {
        let services = Arc::default();
        self.load_with(component, scope, limits, cache, &services)
            .await
    }

    /// The same with what the holes of a session share.
    pub(crate) async fn load_with(
        &self,
        component: &LinkedComponent,
        scope: Arc<Scope>,
        limits: &RunLimits,
        cache: Option<&Path>,
        services: &Arc<Services>,
    ) -> Result<Program, SandboxError> {
        tool::load(self, &scope.hole, &scope.imports, cache, services).await?;
        let engine = self.engines.with_stack(limits.stack)?;
        let mut bytes = component.bytes.clone();
        stack::narrow(&mut bytes, limits.stack);
        let functions = Arc::clone(self.engines.functions());
        let cache = cache.map(Path::to_owned);
        let limits = limits.clone();
        let first = component.snippet.lines_before.saturating_add(1);
        let lines = component.snippet.text.split('\n').count();
        let services = Arc::clone(services);
        let hash = component.hash.clone();
        let snippet_lines = first..first.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        // Cranelift and opening folders block; the caller's thread may have other holes to run.
        let loaded = tokio::task::spawn_blocking(move || {
            let compiled = cache::compile(&engine, &functions, &bytes, cache.as_deref())?;
            let ready = link(&engine, &compiled, &scope.hole, &scope.imports, &services)?;
            Ok(Program {
                ready,
                limits,
                snippet_lines,
                services,
                hole: scope.hole.clone(),
                hash,
            })
        });
        loaded
            .await
            .unwrap_or_else(|error| Err(SandboxError::Refused(error.to_string())))
    }

    /// A fresh instance: no state of any other.
    ///
    /// # Errors
    ///
    /// [`Failure`] when the instance's own start meets a limit, such as `memory`.
    pub async fn instance(
        &self,
        program: &Program,
        observer: Arc<dyn Observer>,
    ) -> Result<Instance, Failure> {
        Instance::start(program, observer).await
    }
}

/// Compiled code with its imports linked, ready to be instantiated in microseconds.
#[derive(Clone)]
pub struct Program {
    ready: InstancePre<Host>,
    limits: RunLimits,
    /// The lines of the compiled file that are the snippet's, counted from 1: panics name places in that file.
    snippet_lines: Range<u32>,
    services: Arc<Services>,
    hole: String,
    /// Of the component.
    hash: String,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

fn link(
    engine: &wasmtime::Engine,
    component: &Component,
    hole: &str,
    imports: &[ScopeImport],
    services: &Services,
) -> Result<InstancePre<Host>, SandboxError> {
    let mut linker = Linker::new(engine);
    capability::define(&mut linker, engine, component, hole, imports, services)?;
    linker
        .instantiate_pre(component)
        .map_err(|error| SandboxError::Refused(format!("{error:#}")))
}
