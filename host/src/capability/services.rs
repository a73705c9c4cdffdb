//! What the holes of one session share: the providers of the host program, who approves, and what providers keep open.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::approval::Approve;
use super::tool::{ImportType, Provider, Serve};
use super::{CapabilityError, http, kv, sql};
use crate::scope::ScopeImport;

/// Providers of the host program, by the interface or the label that they serve.
pub(crate) type Providers = BTreeMap<String, Arc<dyn Provider>>;

/// One for each session.
#[derive(Default)]
pub(crate) struct Services {
    providers: Providers,
    /// Who is asked before a call that can't be undone; nobody if absent, and the grant alone decides.
    pub(crate) approve: Option<Arc<dyn Approve>>,
    /// The key-value stores that are open.
    pub(crate) kv: kv::State,
    /// The databases that are open.
    pub(crate) sql: sql::State,
    /// The clients of `lacuna:http`.
    pub(crate) http: http::State,
    /// The state of each grant that a tool serves, by hole and import.
    opened: Mutex<HashMap<(String, String), Arc<dyn Serve>>>,
}

impl Services {
    /// With these providers.
    pub(crate) fn new(providers: Providers, approve: Option<Arc<dyn Approve>>) -> Self {
        Self {
            providers,
            approve,
            kv: kv::State::default(),
            sql: sql::State::default(),
            http: http::State::default(),
            opened: Mutex::default(),
        }
    }

    /// The host program's provider of an import: by its interface with or without version, or by its label.
    pub(crate) fn provider(
        &self,
        interface: Option<&str>,
        label: &str,
    ) -> Option<&Arc<dyn Provider>> {
        let names = interface
            .into_iter()
            .flat_map(|id| [id, id.split('@').next().unwrap_or(id)])
            .chain([label]);
        names.into_iter().find_map(|name| self.providers.get(name))
    }

    /// The state of a grant, made at its first use.
    pub(crate) fn open(
        &self,
        hole: &str,
        import: &ScopeImport,
        provider: &dyn Provider,
    ) -> Result<Arc<dyn Serve>, CapabilityError> {
        let key = (hole.to_owned(), import.import_name.clone());
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(serve) = opened.get(&key) {
            return Ok(Arc::clone(serve));
        }
        let failed = |reason| CapabilityError::Tool {
            label: import.label.clone(),
            reason,
        };
        let serve = provider.open(&ImportType::of(import)).map_err(failed)?;
        opened.insert(key, Arc::clone(&serve));
        Ok(serve)
    }
}

impl Services {
    /// The state of a grant, if it is there already.
    pub(crate) fn opened(&self, hole: &str, import: &ScopeImport) -> Option<Arc<dyn Serve>> {
        let key = (hole.to_owned(), import.import_name.clone());
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.get(&key).map(Arc::clone)
    }
}

/// The services of a session as long as it lives. A tool that is a component has the services that hold it, so neither
/// would go without this.
#[derive(Debug)]
pub(crate) struct Held(Arc<Services>);

impl Held {
    /// Until the last of its session is gone.
    pub(crate) fn new(services: Services) -> Self {
        Self(Arc::new(services))
    }

    /// To be shared by what runs in the session.
    pub(crate) fn share(&self) -> &Arc<Services> {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut opened = self.0.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = std::mem::take(&mut *opened);
        // What a state does when it is dropped may want the lock.
        drop(opened);
        drop(gone);
    }
}

impl std::fmt::Debug for Services {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Services")
            .field("providers", &self.providers.keys())
            .finish_non_exhaustive()
    }
}
