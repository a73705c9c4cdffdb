//! Grant: every import of a hole, *as the manifest allows it*. No grant, no import. May look at the paths that grants name.

pub(crate) mod component;
pub mod http;
mod keys;
mod provider;
mod rules;
mod stores;
mod tools;
mod wasi;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;
use wit_parser::WorldKey;

use crate::error::{Explain, Fault, Place};
use crate::plan::manifest::GrantConfig;
use crate::plan::{Hole, Import, Plan};
pub use component::{ComponentGrant, ComponentImport};
pub use http::HttpGrant;
pub(crate) use keys::written;
pub use rules::{Condition, FunctionRules, Rules, Violation};
pub use stores::{KvGrant, SqlGrant};
pub use tools::{CommandGrant, JsonHttpGrant};
pub use wasi::{WasiGrant, WasiInterface};

/// All grants of one hole, in the order of the world's imports.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The hole.
    pub hole: String,
    /// Its grants.
    pub grants: Vec<Grant>,
}

/// One granted import.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Key in the world.
    pub key: WorldKey,
    /// What the trace and messages call it: the label of a named import, the interface's last name (its whole id where
    /// two have that name), or the function's name.
    pub label: String,
    /// Id with version of the interface; `None` for an inline interface and for a function of the world.
    pub interface: Option<String>,
    /// Granted functions in WIT spelling (`read-text`, `[method]file.read`, `[constructor]file`), never empty unless
    /// only types are granted.
    pub functions: Vec<String>,
    /// Functions that the interface has and the grant leaves out, for diagnostics.
    pub withheld: Vec<String>,
    /// Who serves it.
    pub provider: Provider,
    /// What is allowed of each granted function.
    pub rules: FunctionRules,
}

/// Who serves a granted import.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Provider {
    /// Types only: nothing to serve.
    Types,
    /// `lacuna:hole/console`, implicit.
    Console,
    /// `lacuna:fs/read` or `lacuna:fs/write` on one folder.
    Folder(FolderGrant),
    /// `lacuna:clock/wall`.
    Wall(ClockGrant),
    /// `lacuna:clock/monotonic`.
    Monotonic(ClockGrant),
    /// `lacuna:clock/calendar`, without authority.
    Calendar,
    /// `lacuna:random/random`.
    Random(RandomGrant),
    /// An interface of `lacuna:text`, without authority.
    Text(TextInterface),
    /// `lacuna:kv/read` or `lacuna:kv/write` on one file.
    Kv(KvGrant),
    /// `lacuna:sql/read` or `lacuna:sql/write` on one database.
    Sql(SqlGrant),
    /// `lacuna:http/http` on named origins.
    Http(HttpGrant),
    /// Answers from a JSON file.
    Stub(StubGrant),
    /// An interface of WASI 0.2.
    Wasi(WasiGrant),
    /// A component that exports the interface.
    Component(Arc<ComponentGrant>),
    /// A server with tools.
    JsonHttp(JsonHttpGrant),
    /// A program with tools.
    Command(CommandGrant),
    /// The program that embeds this library.
    Host,
}

/// Reading the clock.
#[derive(Clone, Debug)]
pub struct ClockGrant {
    /// The time that it always is, for tests and runs that can be repeated; the machine's clock if absent.
    pub fixed: Option<jiff::Timestamp>,
}

/// Random numbers.
#[derive(Clone, Debug)]
pub struct RandomGrant {
    /// What the numbers follow from; the system's if absent.
    pub seed: Option<u64>,
    /// The hole, whose name is part of what they follow from.
    pub hole: String,
}

/// The interfaces of `lacuna:text`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextInterface {
    /// `lacuna:text/regex`.
    Regex,
    /// `lacuna:text/json`.
    Json,
    /// `lacuna:text/csv`.
    Csv,
    /// `lacuna:text/encoding`.
    Encoding,
    /// `lacuna:text/url`.
    Url,
}

/// One folder.
#[derive(Clone, Debug)]
pub struct FolderGrant {
    /// Canonical path of the folder; it exists.
    pub root: PathBuf,
    /// Largest file that is read or written whole, bytes.
    pub max_file: u64,
}

/// Answers per function.
#[derive(Clone, Debug)]
pub struct StubGrant {
    /// The file, for messages.
    pub file: PathBuf,
    /// The parsed file: an object, a member per function.
    pub answers: Arc<serde_json::Map<String, serde_json::Value>>,
}

/// Why the grants of a hole do not fit its imports.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GrantError {
    /// An import without grant, or a grant without import.
    #[error("{0}")]
    Mismatch(Fault),
    /// A grant whose keys, functions or files are wrong.
    #[error("{0}")]
    Invalid(Fault),
    /// An import that another hole exports.
    #[error("{0}")]
    Call(Fault),
}

impl GrantError {
    fn fault(&self) -> &Fault {
        match self {
            Self::Mismatch(fault) | Self::Invalid(fault) | Self::Call(fault) => fault,
        }
    }
}

impl Explain for GrantError {
    fn place(&self) -> Option<&Place> {
        self.fault().place()
    }

    fn hint(&self) -> Option<String> {
        self.fault().hint()
    }

    fn others(&self) -> Vec<&dyn Explain> {
        self.fault().others()
    }
}

/// The grants of a hole: one for each import, in the order of the world.
///
/// `lacuna:hole/console` needs none; it is in the list only when the plan imports it itself, and `scope` adds it
/// otherwise. An interface that only gives types has [`Provider::Types`]. Interfaces without any authority,
/// `lacuna:text/…` and `lacuna:clock/calendar`, are granted by their import, and narrowed by a grant with `functions`.
///
/// # Errors
/// An import without grant, a grant without import, and a grant that does not fit its import.
pub fn resolve(plan: &Plan, hole: &Hole) -> Result<Granted, GrantError> {
    let configs = keys::assign(plan, hole)?;
    let mut grants = Vec::new();
    let mut missing = Vec::new();
    let mut invalid = Vec::new();
    for import in &hole.imports {
        let config = configs.get(import.name.as_str()).copied();
        let kind = provider::kind(plan, import, config.is_some());
        if import.explicit || config.is_some() {
            refuse_calls(plan, hole, import, config.map(|config| &config.place))?;
        }
        let provider = match (kind, config) {
            (provider::Kind::Types, _) => Ok(Provider::Types),
            (provider::Kind::Console, _) => Ok(Provider::Console),
            (provider::Kind::Calendar, None) => Ok(Provider::Calendar),
            (provider::Kind::Text(interface), None) => Ok(Provider::Text(interface)),
            (_, None) => {
                missing.push(provider::missing(plan, hole, import, kind));
                continue;
            }
            (kind, Some(config)) => provider::choose(plan, hole, import, kind, config),
        };
        let functions = match (
            &provider,
            config.and_then(|config| config.functions.as_ref()),
        ) {
            (Ok(Provider::Types), _) => Ok(Vec::new()),
            (_, Some(names)) => keys::functions(import, names),
            (_, None) => Ok(import.functions.clone()),
        };
        match (provider, functions) {
            (Ok(provider), Ok(functions)) => {
                let rules = rules::resolve(plan, hole, import, kind, &provider, config, &functions);
                match rules {
                    Ok(rules) => {
                        let label = label(hole, import, &configs);
                        grants.push(grant(plan, import, label, provider, functions, rules));
                    }
                    Err(fault) => invalid.push(fault),
                }
            }
            (provider, functions) => {
                invalid.extend(provider.err().into_iter().chain(functions.err()))
            }
        }
    }
    if let Some(fault) = Fault::several(missing) {
        return Err(GrantError::Mismatch(fault));
    }
    match Fault::several(invalid) {
        Some(fault) => Err(GrantError::Invalid(fault)),
        None => Ok(Granted {
            hole: hole.name.clone(),
            grants,
        }),
    }
}

/// What an import is called in traces and messages. Two packages, or two versions of one, can have an interface of the
/// same last name; then it is the whole id.
fn label(hole: &Hole, import: &Import, configs: &BTreeMap<String, &GrantConfig>) -> String {
    let callable = |other: &&Import| {
        let granted = other.explicit || configs.contains_key(&other.name);
        granted && !other.functions.is_empty() && other.label == import.label
    };
    if hole.imports.iter().filter(callable).count() > 1 {
        import.name.clone()
    } else {
        import.label.clone()
    }
}

fn grant(
    plan: &Plan,
    import: &Import,
    label: String,
    provider: Provider,
    functions: Vec<String>,
    rules: FunctionRules,
) -> Grant {
    Grant {
        key: import.key.clone(),
        label,
        interface: import.interface.and_then(|id| plan.resolve.id_of(id)),
        withheld: import
            .functions
            .iter()
            .filter(|function| !functions.contains(function))
            .cloned()
            .collect(),
        functions,
        provider,
        rules,
    }
}

/// A hole calls another when it imports what the other exports (CONTRACTS section 6, point 2).
fn refuse_calls(
    plan: &Plan,
    hole: &Hole,
    import: &Import,
    grant: Option<&Place>,
) -> Result<(), GrantError> {
    let Some(callee) = plan
        .holes
        .iter()
        .find(|callee| plan.exports_import(callee, hole, import))
    else {
        return Ok(());
    };
    let name = &callee.name;
    Err(GrantError::Call(match grant {
        Some(place) => Fault::new(format!(
            "`{}` is exported by the hole `{name}` and granted too",
            import.name
        ))
        .at(place.clone())
        .hint("remove the grant, or give the interface another name"),
        None if callee.world == hole.world => Fault::new(format!(
            "a hole that calls itself is not supported yet: `{}` is imported and exported",
            import.name
        ))
        .at(import.place.clone())
        .hint("remove the import: the function that is written can call itself"),
        None => Fault::new(format!(
            "calling another hole is not supported yet: `{}` is exported by the hole `{name}`",
            import.name
        ))
        .at(import.place.clone()),
    }))
}

#[cfg(test)]
mod tests;
