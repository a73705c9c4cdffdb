//! Tools: interfaces whose types are the plan's, so that values go through [`Value`].
//!
//! A [`Provider`] is how such an interface is served. It has three moments: it *checks* the interface while the plan is
//! loaded, it is *opened* once for each session and grant, and it *links* the functions that a component imports. Then
//! come the calls. [`Functions`] makes one of closures. Everything that rules and limits ask of a call is done around it.

mod functions;

use std::sync::Arc;

use serde_json::Value as Json;
use wasmtime::StoreContextMut;
use wasmtime::component::types::ComponentFunc;
use wasmtime::component::{LinkerInstance, Val};

pub use super::approval::BoxFuture;
pub use super::call::Bounds;
use super::call::{self, Running, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::{self, Failure, Observer};
use super::resources;
use super::{CapabilityError, Provide};
use crate::labels::Labels;
use crate::scope::{ScopeFunction, ScopeImport};
use crate::value::{self, Named, Type, Value};
pub use functions::{Functions, State};

/// How a granted interface is served.
pub trait Provider: Send + Sync {
    /// Whether this interface, as it is granted, can be served. Asked while the plan is loaded.
    ///
    /// # Errors
    /// Why not, in words for the plan's author.
    fn check(&self, import: &ImportType) -> Result<(), String> {
        let _ = import;
        Ok(())
    }

    /// The state of one grant in one session.
    ///
    /// # Errors
    /// Why there is none, in words for whoever runs the plan.
    fn open(&self, import: &ImportType) -> Result<Arc<dyn Serve>, String>;
}

/// The state of one grant in one session, shared by all instances that use it.
pub trait Serve: Send + Sync {
    /// A component imports this function. Asked once for each program that is loaded.
    ///
    /// # Errors
    /// Why it cannot be served.
    fn link(&self, function: &FunctionType) -> Result<(), String> {
        let _ = function;
        Ok(())
    }

    /// Serves one call. The answer must be a value of the function's type; another one fails the call. The future is
    /// dropped when the call's time is over.
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>>;
}

/// An interface, or a function of the world, as it is granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportType {
    /// What messages call it.
    pub label: String,
    /// Id with version; `None` for an inline interface and for a function of the world.
    pub interface: Option<String>,
    /// The granted functions.
    pub functions: Vec<FunctionType>,
}

/// A function of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionType {
    /// Label of its import.
    pub import: String,
    /// WIT name: `find`, `[method]dir.open`.
    pub name: String,
    /// Parameters. Handles are texts: the names that the tool gave to its resources.
    pub parameters: Vec<Named>,
    /// Result, handles as in `parameters`.
    pub result: Option<Type>,
}

/// One call.
#[derive(Clone, Debug)]
pub struct ToolCall {
    /// What is called.
    pub function: Arc<FunctionType>,
    /// Its arguments, of the types of its parameters.
    pub arguments: Vec<Value>,
    /// What the arguments may hold: all labels of what the caller has been given.
    pub labels: Labels,
    /// What the call may use, and whether anybody still waits for it.
    pub bounds: Bounds,
    /// Who hears of what a component does that serves the call.
    pub(crate) watcher: Watcher,
}

/// An observer that calls can carry.
#[derive(Clone)]
pub(crate) struct Watcher(pub(crate) Arc<dyn Observer>);

impl Default for Watcher {
    fn default() -> Self {
        Self(Arc::new(()))
    }
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").finish_non_exhaustive()
    }
}

impl ImportType {
    /// As a scope has it.
    pub(crate) fn of(import: &ScopeImport) -> Self {
        let functions = import.functions.iter();
        Self {
            label: import.label.clone(),
            interface: import.interface.clone(),
            functions: functions
                .map(|function| FunctionType::of(&import.label, function))
                .collect(),
        }
    }
}

impl FunctionType {
    fn of(import: &str, function: &ScopeFunction) -> Self {
        Self::new(
            import,
            &function.wit,
            &function.parameters,
            function.result.as_ref(),
        )
    }

    /// With handles as texts.
    pub(crate) fn new(
        import: &str,
        name: &str,
        parameters: &[Named],
        result: Option<&Type>,
    ) -> Self {
        Self {
            import: import.to_owned(),
            name: name.to_owned(),
            parameters: parameters
                .iter()
                .map(|(name, ty)| (name.clone(), resources::named(ty)))
                .collect(),
            result: result.map(resources::named),
        }
    }

    /// As a manifest and a tool's server write its name: `dir.open`, `dir.constructor`.
    pub fn written(&self) -> String {
        crate::grant::written(&self.name)
    }
}

/// Serves an import by a tool.
pub(crate) struct Driver(pub(crate) Arc<dyn Serve>);

impl Provide for Driver {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let ty = Arc::new(FunctionType::of(&site.import, function));
        self.0.link(&ty).map_err(|reason| CapabilityError::Tool {
            label: format!("{}.{}", site.import, ty.written()),
            reason,
        })?;
        let served = Arc::new(Served {
            serve: Arc::clone(&self.0),
            site,
            ty,
            result: function.result.clone(),
            kinds: Arc::clone(kinds),
        });
        target.func_new_async(&function.wit, move |store, shape, arguments, results| {
            let served = Arc::clone(&served);
            Box::new(async move { served.call(store, &shape, arguments, results).await })
        })?;
        Ok(())
    }
}

/// One function of a tool.
struct Served {
    serve: Arc<dyn Serve>,
    site: Arc<Site>,
    ty: Arc<FunctionType>,
    /// Its result with handles as handles.
    result: Option<Type>,
    kinds: Arc<ResourceKinds>,
}

impl Served {
    async fn call(
        &self,
        mut store: StoreContextMut<'_, Host>,
        shape: &ComponentFunc,
        arguments: &[Val],
        results: &mut [Val],
    ) -> wasmtime::Result<()> {
        let site = &*self.site;
        let bytes = arguments.iter().map(value::size).sum();
        let mut named = Vec::with_capacity(arguments.len());
        for argument in arguments {
            named.push(resources::names_in(&mut store, argument)?);
        }
        let json = || reported(&named, &self.ty.parameters);
        let running = Running::enter(store.data_mut(), site, bytes, json, json)?;
        let running = call::approved(&mut store, site, running, json).await?;
        let host = store.data_mut();
        let labels = host.labels;
        let (bounds, _abandon) = Bounds::watched(host);
        let served = self.serve.call(ToolCall {
            function: Arc::clone(&self.ty),
            arguments: named,
            labels,
            bounds,
            watcher: Watcher(Arc::clone(&host.observer)),
        });
        let answer = match call::timed(host, served).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(failure)) => return Err(running.fail(store.data_mut(), failure)),
            Err(hit) => return Err(running.fail(store.data_mut(), hit)),
        };
        let answer = match self.checked(answer) {
            Ok(answer) => answer,
            Err(message) => return Err(running.fail(store.data_mut(), Failure::trap(message))),
        };
        let (Some(answer), Some(slot), Some(shape)) =
            (answer, results.first_mut(), shape.results().next())
        else {
            return running.leave(store.data_mut(), 0, || None);
        };
        match resources::handles_in(&mut store, &self.kinds, &answer, &shape) {
            Ok(value) => *slot = value,
            Err(error) => {
                let failure = outcome::of_handles(store.data_mut(), &error);
                return Err(running.fail(store.data_mut(), failure));
            }
        }
        running.leave(store.data_mut(), value::size(&answer), || {
            let ty = self.ty.result.as_ref();
            ty.map(|ty| value::to_json(&answer, ty))
        })
    }

    /// The answer, if it is one of the function's type.
    fn checked(&self, answer: Option<Value>) -> Result<Option<Value>, String> {
        let wrong = |what: &str| {
            let Site {
                import, function, ..
            } = &*self.site;
            Err(format!(
                "the tool `{import}` answered `{function}` with {what}"
            ))
        };
        match (answer, &self.ty.result, &self.result) {
            (None, None, _) => Ok(None),
            (Some(answer), Some(ty), Some(result)) => {
                if !value::fits(&answer, ty) {
                    return wrong(&format!("a value that is no {ty}"));
                }
                match resources::check_names(answer, result) {
                    Ok(answer) => Ok(Some(answer)),
                    Err(what) => wrong(&format!("a wrong handle: {what}")),
                }
            }
            (None, ..) => wrong("no value"),
            (Some(_), ..) => wrong("a value, and it has none"),
        }
    }
}

/// Values as reports and rules see them.
fn reported(values: &[Value], types: &[Named]) -> Vec<Json> {
    let pairs = values.iter().zip(types);
    pairs
        .map(|(value, (_, ty))| value::to_json(value, ty))
        .collect()
}
