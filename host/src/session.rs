//! Session: one run of a plan: holes, attempts, budget, trace.
//!
//! [`Lacuna`] is the engine of a process: toolchain, compiler, sandbox, cache. [`Plan`] is one session of it: a parsed
//! plan with one budget and one trace. [`Hole`] asks and judges until a snippet is accepted; [`Fill`] calls it.

mod call;
mod error;
mod fill;
mod hole;
mod observe;
mod outcome;
mod progress;
mod recent;
mod started;
mod verdict;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use call::{Arguments, Called, Instance};
pub use error::Error;
pub use fill::{AttemptReport, Fill, FillReport};
pub use hole::{Hole, Plan};
pub use outcome::Outcome;
pub use progress::{Progress, Silent, Watch};
pub use verdict::{Hashes, Millis, Verdict};

use crate::capability::approval::Approve;
use crate::capability::services::Services;
use crate::capability::tool::Provider;
use crate::compile::Compiler;
use crate::model::Environment;
use crate::sandbox::Sandbox;
use crate::toolchain::{self, Stop, Toolchain};

/// The engine: made once, used for any number of plans, from any number of tasks. Cheap to clone.
#[derive(Clone)]
pub struct Lacuna {
    inner: Arc<Engine>,
}

struct Engine {
    settings: Settings,
    sandbox: Sandbox,
    /// Prepared at the first snippet, since plans can be shown and checked for faults without a compiler.
    compiler: tokio::sync::OnceCell<Arc<Judge>>,
    /// Components of snippets that were accepted before.
    recent: recent::Recent,
}

/// A compiler that is ready.
pub(crate) struct Judge {
    pub(crate) toolchain: Arc<Toolchain>,
    pub(crate) compiler: Compiler,
}

struct Settings {
    cache: Option<PathBuf>,
    environment: Environment,
    watch: Arc<dyn Watch>,
    unconfined: bool,
    providers: BTreeMap<String, Arc<dyn Provider>>,
    approve: Option<Arc<dyn Approve>>,
}

/// Settings of [`Lacuna`].
pub struct Builder {
    settings: Settings,
}

impl Lacuna {
    /// Starts with the defaults: the user's cache folder, provider keys from the environment, no progress, a
    /// compiler that must be confined.
    pub fn builder() -> Builder {
        Builder {
            settings: Settings {
                cache: None,
                environment: Environment::from_process(),
                watch: Arc::new(Silent),
                unconfined: false,
                providers: BTreeMap::new(),
                approve: None,
            },
        }
    }

    /// Loads a plan (a `.wit` file or a folder) with its manifest and starts a session for it.
    ///
    /// # Errors
    /// When plan or manifest are not valid; the error has the place and a hint.
    pub fn load(&self, path: impl AsRef<Path>) -> Result<Plan, Error> {
        Plan::open(self.clone(), path.as_ref())
    }

    /// Finds or installs what is needed to judge snippets and compiles the SDK if this toolchain has none yet. Called
    /// by the first fill; a host program may call it early.
    ///
    /// # Errors
    /// When there is no usable toolchain, or the machine cannot confine a compiler.
    pub async fn prepare(&self) -> Result<(), Error> {
        self.judge().await.map(drop)
    }

    pub(crate) async fn judge(&self) -> Result<Arc<Judge>, Error> {
        let engine = Arc::clone(&self.inner);
        self.inner
            .compiler
            .get_or_try_init(|| async move {
                let stop = StopOnDrop(Arc::default());
                let stopped = Arc::clone(&stop.0);
                let task = tokio::task::spawn_blocking(move || engine.start_compiler(&stopped));
                task.await
                    .map_err(|_| Error::internal("preparing the toolchain"))?
            })
            .await
            .cloned()
    }

    fn recent(&self) -> &recent::Recent {
        &self.inner.recent
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.inner.sandbox
    }

    pub(crate) fn watch(&self) -> &Arc<dyn Watch> {
        &self.inner.settings.watch
    }

    pub(crate) fn environment(&self) -> &Environment {
        &self.inner.settings.environment
    }

    pub(crate) fn cache(&self) -> Result<PathBuf, Error> {
        self.inner.cache()
    }

    /// What the holes of a new session share.
    fn services(&self) -> Services {
        let settings = &self.inner.settings;
        Services::new(settings.providers.clone(), settings.approve.clone())
    }
}

/// Stops the preparation when the future that waits for it is dropped: no compiler of it is left behind.
struct StopOnDrop(Arc<Stop>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Engine {
    fn cache(&self) -> Result<PathBuf, Error> {
        Ok(toolchain::cache_folder(self.settings.cache.as_deref())?)
    }

    fn start_compiler(&self, stop: &Stop) -> Result<Arc<Judge>, Error> {
        let cache = self.cache()?;
        let watch = Arc::clone(&self.settings.watch);
        let toolchain = toolchain::prepare_until(stop, &cache, &mut |line| {
            watch.progress(&Progress::Preparing { what: line })
        })?;
        let toolchain = Arc::new(toolchain);
        let compiler = Compiler::new(Arc::clone(&toolchain), cache, self.settings.unconfined)?;
        Ok(Arc::new(Judge {
            toolchain,
            compiler,
        }))
    }
}

impl Builder {
    /// Keeps everything that is compiled in this folder instead of the user's cache folder.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.cache = Some(folder.into());
        self
    }

    /// Keys and addresses of model providers, instead of those in the environment of this process.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.settings.environment = environment;
        self
    }

    /// Is told what happens.
    #[must_use]
    pub fn watch(mut self, watch: Arc<dyn Watch>) -> Self {
        self.settings.watch = watch;
        self
    }

    /// Lets the compiler run without confinement where the machine cannot confine it. A hostile snippet can then make
    /// rustc read files of this user, should the screens before it fail.
    #[must_use]
    pub fn allow_unconfined_compile(mut self, allow: bool) -> Self {
        self.settings.unconfined = allow;
        self
    }

    /// Serves grants that say `provider = "host"`: those of this interface (`demo:shop/orders@0.1.0`, or without the
    /// version), or of this label.
    #[must_use]
    pub fn provide(
        mut self,
        interface: impl Into<String>,
        provider: impl Provider + 'static,
    ) -> Self {
        let provider = Arc::new(provider);
        self.settings.providers.insert(interface.into(), provider);
        self
    }

    /// Is asked before each call that can't be undone. Without it the grants decide alone.
    #[must_use]
    pub fn approve(mut self, approve: impl Approve + 'static) -> Self {
        self.settings.approve = Some(Arc::new(approve));
        self
    }

    /// # Errors
    /// When this machine cannot run the sandbox.
    pub fn build(self) -> Result<Lacuna, Error> {
        Ok(Lacuna {
            inner: Arc::new(Engine {
                settings: self.settings,
                sandbox: Sandbox::new()?,
                compiler: tokio::sync::OnceCell::new(),
                recent: recent::Recent::default(),
            }),
        })
    }
}

impl std::fmt::Debug for Lacuna {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lacuna").finish_non_exhaustive()
    }
}
