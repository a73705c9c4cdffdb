//! The provider `wasi`: interfaces of WASI 0.2 through wasmtime-wasi, function by function.
//!
//! Nothing of this process is passed on. The files are those of the granted folder, the environment, the arguments and
//! standard input are empty, what is written to standard output is dropped, and there is no network. A function that
//! was not granted is not defined, and each call goes through [`call`] like every other, so that it is counted,
//! weighed, timed and reported.

mod cli;
mod clocks;
mod crossing;
mod filesystem;
mod io;
mod random;

use std::fs::File;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;
use wasmtime::StoreContextMut;
use wasmtime::component::{
    ComponentNamedList, Lift, LinkerInstance, Lower, ResourceTable, ResourceTableError,
};
use wasmtime_wasi::clocks::WasiClocksCtx;
use wasmtime_wasi::filesystem::WasiFilesystemCtx;
use wasmtime_wasi::random::WasiRandomCtx;

use super::call::{self, Arguments, Bounds, Crossing, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::{self, Failure};
use super::{CapabilityError, Provide};
use crate::grant::{WasiGrant, WasiInterface};
use crate::scope::{ScopeFunction, ScopeImport};

pub(crate) use io::Kind;

/// What an instance holds of WASI, made at its first use. One lock, since a guest makes one call at a time.
#[derive(Clone, Default)]
pub(crate) struct Wasi(Arc<Mutex<Option<State>>>);

/// Open files, streams and pollables, and where clocks and random numbers come from.
pub(crate) struct State {
    table: ResourceTable,
    filesystem: WasiFilesystemCtx,
    clocks: WasiClocksCtx,
    random: WasiRandomCtx,
    /// `handles`: entries of the table.
    most: u64,
}

impl State {
    fn new(most: u64) -> Self {
        let mut table = ResourceTable::new();
        table.set_max_capacity(usize::try_from(most).unwrap_or(usize::MAX));
        Self {
            table,
            filesystem: WasiFilesystemCtx::default(),
            clocks: WasiClocksCtx::default(),
            random: WasiRandomCtx::default(),
            most,
        }
    }

    /// What an error of wasmtime-wasi means that is no value of the function's type.
    fn failure(&self, error: &wasmtime::Error) -> Failure {
        if let Some(failure) = error.downcast_ref::<Failure>() {
            return failure.clone();
        }
        match error.downcast_ref::<ResourceTableError>() {
            Some(ResourceTableError::Full) => outcome::handle_limit(self.most),
            Some(ResourceTableError::HasChildren) => {
                Failure::trap("a handle was dropped while one that was made of it is still open")
            }
            _ => Failure::trap(format!("{error:#}")),
        }
    }
}

/// One granted interface.
pub(crate) struct Provider {
    interface: WasiInterface,
    preopen: Option<Arc<Preopen>>,
}

/// A granted folder, opened when the program was loaded: whoever puts another one in its place later changes nothing.
struct Preopen {
    folder: File,
    write: bool,
}

impl Provider {
    /// Opens the folder.
    pub(crate) fn open(import: &ScopeImport, grant: &WasiGrant) -> Result<Self, CapabilityError> {
        let preopen = match &grant.preopen {
            None => None,
            Some(root) => {
                let folder = filesystem::open(root).map_err(|error| CapabilityError::Folder {
                    label: import.label.clone(),
                    reason: error.to_string(),
                })?;
                let write = grant.write;
                Some(Arc::new(Preopen { folder, write }))
            }
        };
        Ok(Self {
            interface: grant.interface,
            preopen,
        })
    }
}

impl Provide for Provider {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let name = function.wit.as_str();
        match self.interface {
            WasiInterface::WallClock => clocks::wall(target, site, name),
            WasiInterface::MonotonicClock => clocks::monotonic(target, site, name),
            WasiInterface::Random => random::random(target, site, name),
            WasiInterface::Insecure => random::insecure(target, site, name),
            WasiInterface::InsecureSeed => random::seed(target, site, name),
            WasiInterface::Error => io::error(target, site, name),
            WasiInterface::Poll => io::poll(target, site, name),
            WasiInterface::Streams => io::streams(target, site, name),
            WasiInterface::Preopens => {
                filesystem::preopens(target, site, name, self.preopen.clone())
            }
            WasiInterface::Types => filesystem::types(target, site, name),
            WasiInterface::Cli => cli::functions(target, site, name),
        }
    }

    fn resource(&self, name: &str) -> Option<Kind> {
        Kind::named(name)
    }
}

/// Work on the state of an instance. What is a value of the function's type is in `R`, anything else ends the guest.
type Work<P, R> = for<'a> fn(&'a mut State, P, &'a Bounds) -> BoxFuture<'a, wasmtime::Result<R>>;

/// Defines one function.
fn serve<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: Work<P, R>,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    serve_with(
        target,
        site,
        Arc::new(()),
        move |state, parameters, bounds, ()| work(state, parameters, bounds),
    )
}

/// As [`serve`], with something of the grant.
fn serve_with<P, R, G>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    grant: Arc<G>,
    work: impl for<'a> Fn(&'a mut State, P, &'a Bounds, &'a G) -> BoxFuture<'a, wasmtime::Result<R>>
    + Copy
    + Send
    + Sync
    + 'static,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    G: Send + Sync + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    let name = site.function.clone();
    target.func_wrap_async(&name, move |store, parameters: P| {
        let (site, grant) = (Arc::clone(&site), Arc::clone(&grant));
        Box::new(async move { Ok((called(store, &site, parameters, grant, work).await?,)) })
    })?;
    Ok(())
}

/// Defines a function that returns nothing.
fn serve_nothing<P>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: Work<P, ()>,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
{
    let name = site.function.clone();
    target.func_wrap_async(&name, move |store, parameters: P| {
        let site = Arc::clone(&site);
        Box::new(async move {
            called(
                store,
                &site,
                parameters,
                Arc::new(()),
                |state, parameters, bounds, ()| work(state, parameters, bounds),
            )
            .await
        })
    })?;
    Ok(())
}

/// One call: its work has the instance's state for itself.
async fn called<P, R, G>(
    store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: P,
    grant: Arc<G>,
    work: impl for<'a> Fn(&'a mut State, P, &'a Bounds, &'a G) -> BoxFuture<'a, wasmtime::Result<R>>
    + Send,
) -> wasmtime::Result<R>
where
    P: Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    G: Send + Sync + 'static,
{
    let Wasi(shared) = store.data().wasi.clone();
    let most = store.data().limits.handles;
    call::awaited(store, site, parameters, |parameters, bounds| async move {
        let mut held = shared.lock().await;
        let state = held.get_or_insert_with(|| State::new(most));
        let worked = work(state, parameters, &bounds, &grant).await;
        worked.map_err(|error| state.failure(&error))
    })
    .await
}

/// Defines a function whose body is written where it is chosen.
macro_rules! served {
    ($target:expr, $site:expr, |$state:ident, $bounds:ident| ($($name:ident: $ty:ty),*) -> () $body:block) => {
        $crate::capability::wasi::serve_nothing::<($($ty,)*)>($target, $site, |$state, ($($name,)*), $bounds| {
            let (_, _) = (&$state, &$bounds);
            Box::pin(async move { $body })
        })
    };
    ($target:expr, $site:expr, |$state:ident, $bounds:ident| ($($name:ident: $ty:ty),*) -> $result:ty $body:block) => {
        $crate::capability::wasi::serve::<($($ty,)*), $result>($target, $site, |$state, ($($name,)*), $bounds| {
            // Not every function asks for them.
            let (_, _) = (&$state, &$bounds);
            Box::pin(async move { $body })
        })
    };
}
use served;

/// A function that WASI 0.2 has not, or that is not served.
fn unknown(site: &Site) -> CapabilityError {
    CapabilityError::Unknown {
        import: site.import.clone(),
        function: site.function.clone(),
    }
}
