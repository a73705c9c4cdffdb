//! Capability: the host's side of granted imports. May use what a grant names: one folder through cap-std, the clock, the
//! system's random numbers.
//!
//! A provider is one folder (or file) below this module and one arm in [`provider`]. It is asked once per granted
//! function that the component imports, while the program is loaded, and defines exactly that function; nothing here
//! can define a name that the scope does not hold. Every call of a guest passes through [`call`], which counts, times,
//! weighs and reports it, so a provider cannot forget to.

pub mod approval;
pub(crate) mod call;
pub(crate) mod clock;
mod command;
pub(crate) mod compute;
pub(crate) mod console;
mod crossing;
pub(crate) mod fs;
pub(crate) mod handles;
pub(crate) mod host;
pub(crate) mod http;
mod json_http;
pub(crate) mod kv;
pub mod outcome;
pub(crate) mod random;
mod refusal;
mod resources;
mod rules;
pub(crate) mod services;
pub(crate) mod signature;
pub(crate) mod sql;
pub(crate) mod stub;
pub(crate) mod text;
pub mod tool;
pub(crate) mod wasi;
mod wire;

use std::collections::HashMap;
use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{Component, Linker, LinkerInstance, ResourceType};

use crate::error::{Explain, Place};
use crate::grant::{Grant, Granted, Provider};
use crate::scope::{ScopeFunction, ScopeImport};
use call::Site;
use handles::ResourceKinds;
use host::Host;
pub use http::SecretError;
pub use outcome::{Failure, FailureKind, HostCall, LimitHit, Observer, Sent};
use services::Services;

/// Why a program's imports cannot be served. None of these can be caused by a snippet that passed `link`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CapabilityError {
    /// The component asks for something that its scope does not hold.
    #[error("the component imports `{import}`{}, which is not granted", function.as_ref().map(|name| format!(" function `{name}`")).unwrap_or_default())]
    NotGranted {
        /// Name of the import.
        import: String,
        /// The function, when only that one is missing.
        function: Option<String>,
    },
    /// The component imports a function with another type than the scope's.
    #[error(
        "the component imports `{function}` of `{import}` with another type than the grant's: {what}"
    )]
    Mismatch {
        /// Name of the import.
        import: String,
        /// The function.
        function: String,
        /// What differs.
        what: String,
    },
    /// The provider has no such function.
    #[error("the built-in provider of `{import}` has no function `{function}`")]
    Unknown {
        /// Name of the import.
        import: String,
        /// The function.
        function: String,
    },
    /// The granted folder cannot be opened.
    #[error("cannot open the folder granted as `{label}`: {reason}")]
    Folder {
        /// The grant.
        label: String,
        /// What the system said.
        reason: String,
    },
    /// The granted store or database cannot be used.
    #[error("cannot open the file granted as `{label}`: {reason}")]
    Store {
        /// The grant.
        label: String,
        /// Why.
        reason: String,
    },
    /// No provider of the host program serves the import.
    #[error(
        "`{label}` is to be served by the host program, which has no provider for `{interface}`"
    )]
    NoHost {
        /// The grant.
        label: String,
        /// The interface, or the function.
        interface: String,
    },
    /// A tool cannot be used.
    #[error("the tool `{label}` cannot be used: {reason}")]
    Tool {
        /// The grant.
        label: String,
        /// What it said.
        reason: String,
    },
    /// A secret that a grant names cannot be used.
    #[error(transparent)]
    Secret(#[from] http::SecretError),
    /// The engine refused a definition.
    #[error("cannot link the imports: {0}")]
    Engine(String),
}

impl Explain for CapabilityError {
    fn place(&self) -> Option<&Place> {
        match self {
            Self::Secret(error) => error.place(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Folder { label, .. } => Some(format!(
                "check `path` of the grant `{label}` in lacuna.toml"
            )),
            Self::Store { label, .. } => Some(format!(
                "check `file` of the grant `{label}` in lacuna.toml"
            )),
            Self::NoHost { interface, .. } => Some(format!(
                "embed the plan in a program that calls `Lacuna::builder().provide(\"{interface}\", …)`, or name another `provider`"
            )),
            Self::Secret(error) => error.hint(),
            _ => None,
        }
    }
}

impl From<wasmtime::Error> for CapabilityError {
    fn from(error: wasmtime::Error) -> Self {
        Self::Engine(format!("{error:#}"))
    }
}

/// One granted import, ready to serve.
pub(crate) trait Provide {
    /// Defines one function that was granted and that the component imports with the type of `function`.
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError>;

    /// The kind that a resource of this name is of, if WASI defines it.
    fn resource(&self, _name: &str) -> Option<wasi::Kind> {
        None
    }
}

/// The provider of an import. The only place that knows them all.
fn provider(
    hole: &str,
    import: &ScopeImport,
    services: &Services,
) -> Result<Box<dyn Provide>, CapabilityError> {
    Ok(match &import.provider {
        Provider::Types => Box::new(Nothing),
        Provider::Console => Box::new(console::Console),
        Provider::Folder(grant) => Box::new(fs::Files::open(import, grant)?),
        Provider::Wall(grant) => Box::new(clock::Wall::new(grant)),
        Provider::Monotonic(grant) => Box::new(clock::Monotonic::new(grant)),
        Provider::Calendar => Box::new(clock::Calendar),
        Provider::Random(grant) => Box::new(random::Random::new(import, grant)),
        Provider::Text(interface) => Box::new(text::Text(*interface)),
        Provider::Kv(grant) => Box::new(kv::Keys::open(import, grant, &services.kv)?),
        Provider::Sql(grant) => Box::new(sql::Tables::open(import, grant, &services.sql)?),
        Provider::Stub(grant) => Box::new(stub::Stub::new(import, grant)),
        Provider::Wasi(grant) => Box::new(wasi::Provider::open(import, grant)?),
        Provider::Component(_) => {
            let serve = services
                .opened(hole, import)
                .ok_or_else(|| CapabilityError::Tool {
                    label: import.label.clone(),
                    reason: "it is not loaded".to_owned(),
                })?;
            Box::new(tool::Driver(serve))
        }
        Provider::JsonHttp(grant) => Box::new(tool::Driver(services.open(hole, import, grant)?)),
        Provider::Command(grant) => Box::new(tool::Driver(services.open(hole, import, grant)?)),
        Provider::Http(grant) => Box::new(http::Http(services.http.open(grant)?)),
        Provider::Host => {
            let provider = of_host(services, import.interface.as_deref(), &import.label)?;
            Box::new(tool::Driver(services.open(hole, import, &**provider)?))
        }
    })
}

/// The host program's provider of an import.
fn of_host<'a>(
    services: &'a Services,
    interface: Option<&str>,
    label: &str,
) -> Result<&'a Arc<dyn tool::Provider>, CapabilityError> {
    let missing = || CapabilityError::NoHost {
        label: label.to_owned(),
        interface: interface.unwrap_or(label).to_owned(),
    };
    services.provider(interface, label).ok_or_else(missing)
}

/// Asks the providers of the host program, while a plan is loaded, whether they can serve what is granted.
pub(crate) fn check(
    services: &Services,
    grant: &Grant,
    functions: Vec<tool::FunctionType>,
) -> Result<(), CapabilityError> {
    let provider = of_host(services, grant.interface.as_deref(), &grant.label)?;
    let import = tool::ImportType {
        label: grant.label.clone(),
        interface: grant.interface.clone(),
        functions,
    };
    provider
        .check(&import)
        .map_err(|reason| CapabilityError::Tool {
            label: grant.label.clone(),
            reason,
        })
}

/// Opens what grants need from outside the plan, before a model is asked: a secret that is not set is said at once.
pub(crate) fn open(services: &Services, granted: &Granted) -> Result<(), CapabilityError> {
    for grant in &granted.grants {
        if let Provider::Http(grant) = &grant.provider {
            services.http.open(grant)?;
        }
    }
    Ok(())
}

/// Serves types only: a function of such an import does not exist.
struct Nothing;

impl Provide for Nothing {
    fn define(
        &self,
        _target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        Err(CapabilityError::Unknown {
            import: site.import.clone(),
            function: function.wit.clone(),
        })
    }
}

/// Defines in `linker` what `component` imports, as far as `imports` grant it; anything else is an error.
///
/// Only what the component uses is defined: a name that stands in the linker without need would be one more thing
/// that could be reached by mistake.
pub(crate) fn define(
    linker: &mut Linker<Host>,
    engine: &Engine,
    component: &Component,
    hole: &str,
    imports: &[ScopeImport],
    services: &Services,
) -> Result<(), CapabilityError> {
    let granted: HashMap<&str, &ScopeImport> = imports
        .iter()
        .map(|import| (import.import_name.as_str(), import))
        .collect();
    let component_type = component.component_type();
    let mut served = HashMap::new();
    for (name, _) in component_type.imports(engine) {
        if let Some(grant) = granted.get(name).copied() {
            served.insert(name, provider(hole, grant, services)?);
        }
    }
    let kinds = Arc::new(ResourceKinds::of(
        engine,
        &component_type,
        |import, resource| served.get(import)?.resource(resource),
    ));
    for (name, import) in component_type.imports(engine) {
        let grant = granted.get(name).copied();
        match import.ty {
            ComponentItem::ComponentInstance(instance) => {
                let label = grant.map_or(name, |grant| grant.label.as_str());
                let mut target = linker.instance(name)?;
                for (member, external) in instance.exports(engine) {
                    match external.ty {
                        ComponentItem::ComponentFunc(ty) => {
                            let (Some(grant), Some(served)) = (grant, served.get(name)) else {
                                return Err(not_granted(name, Some(member)));
                            };
                            define_function(
                                &mut target,
                                served.as_ref(),
                                grant,
                                member,
                                &ty,
                                &kinds,
                            )?;
                        }
                        ComponentItem::Resource(ty) => {
                            define_resource(&mut target, label, member, ty, &kinds)?;
                        }
                        ComponentItem::Type(_) => {}
                        _ => return Err(not_granted(name, Some(member))),
                    }
                }
            }
            ComponentItem::ComponentFunc(ty) => {
                let (Some(grant), Some(served)) =
                    (grant.filter(|grant| grant.bare), served.get(name))
                else {
                    return Err(not_granted(name, None));
                };
                define_function(
                    &mut linker.root(),
                    served.as_ref(),
                    grant,
                    name,
                    &ty,
                    &kinds,
                )?;
            }
            // A resource that the world uses of an interface: a type, and none of its functions.
            ComponentItem::Resource(ty) => {
                define_resource(&mut linker.root(), name, name, ty, &kinds)?;
            }
            ComponentItem::Type(_) => {}
            _ => return Err(not_granted(name, None)),
        }
    }
    Ok(())
}

fn define_function(
    target: &mut LinkerInstance<'_, Host>,
    served: &dyn Provide,
    grant: &ScopeImport,
    name: &str,
    ty: &ComponentFunc,
    kinds: &Arc<ResourceKinds>,
) -> Result<(), CapabilityError> {
    let function = grant
        .functions
        .iter()
        .find(|function| function.wit == name)
        .ok_or_else(|| not_granted(&grant.import_name, Some(name)))?;
    signature::compare(ty, &function.parameters, function.result.as_ref()).map_err(|what| {
        CapabilityError::Mismatch {
            import: grant.import_name.clone(),
            function: name.to_owned(),
            what,
        }
    })?;
    let site = Arc::new(Site {
        import: grant.label.clone(),
        function: name.to_owned(),
        rules: grant.rules.get(name).cloned().unwrap_or_default(),
    });
    served.define(target, site, function, kinds)
}

fn define_resource(
    target: &mut LinkerInstance<'_, Host>,
    label: &str,
    name: &str,
    ty: ResourceType,
    kinds: &ResourceKinds,
) -> Result<(), CapabilityError> {
    let Some(kind) = kinds.number(ty) else {
        return Err(not_granted(label, Some(name)));
    };
    let site = Site {
        import: label.to_owned(),
        function: format!("[drop]{name}"),
        rules: Arc::default(),
    };
    if let Some(wasi) = kinds.wasi(kind) {
        return wasi.define(target, site, name);
    }
    target.resource(
        name,
        ResourceType::host_dynamic(kind),
        move |mut store, representation| {
            handles::dropped(store.data_mut(), &site, kind, representation)
        },
    )?;
    Ok(())
}

fn not_granted(import: &str, function: Option<&str>) -> CapabilityError {
    CapabilityError::NotGranted {
        import: import.to_owned(),
        function: function.map(str::to_owned),
    }
}
