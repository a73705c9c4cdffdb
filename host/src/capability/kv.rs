//! `lacuna:kv`: keys and values in one granted file.
//!
//! The file is opened once in a session and shared by all grants on it (redb locks it, so no other process can use it
//! meanwhile). A guest's key stands behind the granted prefix, which it neither sees nor can leave: the two are put
//! together here, for every function. Each change is a transaction of its own, on the disk when the call returns.

mod file;
mod store;
#[cfg(test)]
mod tests;
mod types;

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::LinkerInstance;

use super::call::{Bounds, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::LimitHit;
use super::refusal::serve;
use super::{CapabilityError, Provide};
use crate::grant::KvGrant;
use crate::scope::{ScopeFunction, ScopeImport};
use store::{Change, Next, Quota, Store};
use types::{Entry, KvError, Refusal};

/// Longest key of a guest, bytes. redb compares whole keys at each step of a search.
const LONGEST_KEY: usize = 1024;

/// The stores that a session has opened.
#[derive(Debug, Default)]
pub(crate) struct State {
    stores: Mutex<Vec<Arc<Store>>>,
}

impl State {
    /// The store in the file of a grant.
    fn store(&self, grant: &KvGrant) -> Result<Arc<Store>, String> {
        let mut stores = self.stores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = stores.iter().find(|store| store.is_at(&grant.file)) {
            return Ok(Arc::clone(store));
        }
        let store = Arc::new(Store::new(&grant.file)?);
        stores.push(Arc::clone(&store));
        Ok(store)
    }
}

/// One grant on a store.
pub(crate) struct Keys {
    keys: Arc<Prefixed>,
}

impl Keys {
    /// Opens the granted file, if it is there.
    pub(crate) fn open(
        import: &ScopeImport,
        grant: &KvGrant,
        state: &State,
    ) -> Result<Self, CapabilityError> {
        let store = state
            .store(grant)
            .map_err(|reason| CapabilityError::Store {
                label: import.label.clone(),
                reason,
            })?;
        Ok(Self {
            keys: Arc::new(Prefixed::new(store, grant)),
        })
    }
}

impl Provide for Keys {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let keys = &self.keys;
        match function.wit.as_str() {
            "get" => serve(target, site, keys, |keys, (key,): &(String,), bounds| {
                keys.get(key, bounds)
            }),
            "get-text" => serve(target, site, keys, |keys, (key,): &(String,), bounds| {
                keys.text(key, bounds)
            }),
            "exists" => serve(target, site, keys, |keys, (key,): &(String,), _| {
                keys.exists(key)
            }),
            "keys" => serve(target, site, keys, |keys, (prefix,): &(String,), bounds| {
                keys.names(prefix, bounds)
            }),
            "scan" => serve(
                target,
                site,
                keys,
                |keys, (prefix, after, limit): &(String, Option<String>, u32), bounds| {
                    keys.scan(prefix, after.as_deref(), *limit, bounds)
                },
            ),
            "set" => serve(
                target,
                site,
                keys,
                |keys, (key, value): &(String, Vec<u8>), bounds| keys.set(key, value, bounds),
            ),
            "set-text" => serve(
                target,
                site,
                keys,
                |keys, (key, text): &(String, String), bounds| {
                    keys.set(key, text.as_bytes(), bounds)
                },
            ),
            "delete" => serve(target, site, keys, |keys, (key,): &(String,), bounds| {
                keys.delete(key, bounds)
            }),
            "compare-and-set" => serve(
                target,
                site,
                keys,
                |keys, (key, expected, value): &(String, Option<Vec<u8>>, Vec<u8>), bounds| {
                    keys.compare_and_set(key, expected.as_deref(), value, bounds)
                },
            ),
            "increment" => serve(
                target,
                site,
                keys,
                |keys, (key, by): &(String, i64), bounds| keys.increment(key, *by, bounds),
            ),
            _ => Err(CapabilityError::Unknown {
                import: site.import.clone(),
                function: function.wit.clone(),
            }),
        }
    }
}

/// A store as one grant shows it.
struct Prefixed {
    store: Arc<Store>,
    quota: Quota,
}

impl Prefixed {
    fn new(store: Arc<Store>, grant: &KvGrant) -> Self {
        Self {
            store,
            quota: Quota {
                prefix: grant.prefix.clone(),
                max_keys: grant.max_keys,
                max_bytes: grant.max_bytes,
            },
        }
    }

    /// The key in the file.
    fn whole(&self, key: &str) -> Result<String, Refusal> {
        if key.is_empty() || key.len() > LONGEST_KEY {
            // A key is shown cut: it may be as long as a call allows.
            let end = key.floor_char_boundary(LONGEST_KEY.min(key.len()));
            return Err(KvError::InvalidKey(key[..end].to_owned()).into());
        }
        Ok(format!("{}{key}", self.quota.prefix))
    }

    fn get(&self, key: &str, bounds: &Bounds) -> Result<Option<Vec<u8>>, Refusal> {
        self.store.get(&self.whole(key)?, |value| {
            fits(bounds, value.len() as u64)?;
            Ok(value.to_vec())
        })
    }

    fn text(&self, key: &str, bounds: &Bounds) -> Result<Option<String>, Refusal> {
        let bytes = self.get(key, bounds)?;
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| KvError::NotText(key.to_owned()).into())
    }

    fn exists(&self, key: &str) -> Result<bool, Refusal> {
        let found = self.store.get(&self.whole(key)?, |_| Ok(()))?;
        Ok(found.is_some())
    }

    fn names(&self, prefix: &str, bounds: &Bounds) -> Result<Vec<String>, Refusal> {
        let mut names = Vec::new();
        let mut bytes = 0;
        self.each(prefix, None, bounds, |name, _| {
            enough(bounds, names.len() as u64 + 1)?;
            bytes += (size_of::<String>() + name.len()) as u64;
            fits(bounds, bytes)?;
            names.push(name.to_owned());
            Ok(Next::Go)
        })?;
        Ok(names)
    }

    fn scan(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: u32,
        bounds: &Bounds,
    ) -> Result<Vec<Entry>, Refusal> {
        let mut entries = Vec::new();
        let mut bytes = 0;
        // The guest's number may be any: what counts is what the store holds.
        self.each(prefix, after, bounds, |name, value| {
            if entries.len() as u64 >= u64::from(limit) {
                return Ok(Next::Stop);
            }
            enough(bounds, entries.len() as u64 + 1)?;
            bytes += Entry::weight(name, value);
            fits(bounds, bytes)?;
            entries.push(Entry {
                key: name.to_owned(),
                value: value.to_vec(),
            });
            Ok(Next::Go)
        })?;
        Ok(entries)
    }

    /// Shows the keys below the grant's prefix and `prefix`, as the guest names them. A key that is no text cannot be
    /// named, nor can one that is nothing but the grant's prefix: another program made them.
    fn each(
        &self,
        prefix: &str,
        after: Option<&str>,
        bounds: &Bounds,
        mut each: impl FnMut(&str, &[u8]) -> Result<Next, Refusal>,
    ) -> Result<(), Refusal> {
        let own = self.quota.prefix.as_str();
        let whole = format!("{own}{prefix}");
        // The smallest key behind another is that one and a zero byte.
        let behind = after.map(|after| format!("{own}{after}\0"));
        let from = behind.unwrap_or_default().max(whole.clone());
        self.store.range(&whole, &from, |key, value| {
            if bounds.abandoned() {
                return Ok(Next::Stop);
            }
            let name = std::str::from_utf8(key).ok();
            match name.and_then(|name| name.strip_prefix(own)) {
                Some(name) if !name.is_empty() => each(name, value),
                _ => Ok(Next::Go),
            }
        })
    }

    fn set(&self, key: &str, value: &[u8], bounds: &Bounds) -> Result<(), Refusal> {
        self.change(key, bounds, |_| {
            bounds.write((key.len() + value.len()) as u64)?;
            Ok((Change::Set(value.to_vec()), ()))
        })
    }

    fn delete(&self, key: &str, bounds: &Bounds) -> Result<bool, Refusal> {
        self.change(key, bounds, |now| match now {
            Some(_) => Ok((Change::Remove, true)),
            None => Ok((Change::Keep, false)),
        })
    }

    fn compare_and_set(
        &self,
        key: &str,
        expected: Option<&[u8]>,
        value: &[u8],
        bounds: &Bounds,
    ) -> Result<bool, Refusal> {
        self.change(key, bounds, |now| {
            if now != expected {
                return Ok((Change::Keep, false));
            }
            bounds.write((key.len() + value.len()) as u64)?;
            Ok((Change::Set(value.to_vec()), true))
        })
    }

    fn increment(&self, key: &str, by: i64, bounds: &Bounds) -> Result<i64, Refusal> {
        self.change(key, bounds, |now| {
            let number = match now {
                None => Some(0),
                Some(bytes) => std::str::from_utf8(bytes)
                    .ok()
                    .and_then(|text| text.trim().parse::<i64>().ok()),
            };
            let sum = number.and_then(|number| number.checked_add(by));
            let sum = sum.ok_or_else(|| KvError::NotANumber(key.to_owned()))?;
            let text = sum.to_string().into_bytes();
            bounds.write((key.len() + text.len()) as u64)?;
            Ok((Change::Set(text), sum))
        })
    }

    fn change<R>(
        &self,
        key: &str,
        bounds: &Bounds,
        decide: impl FnOnce(Option<&[u8]>) -> Result<(Change, R), Refusal>,
    ) -> Result<R, Refusal> {
        let whole = self.whole(key)?;
        bounds.change(&whole)?;
        self.store.change(&whole, &self.quota, bounds, decide)
    }
}

/// Whether an answer of `bytes` may be given.
fn fits(bounds: &Bounds, bytes: u64) -> Result<(), LimitHit> {
    if bytes <= bounds.crossing {
        return Ok(());
    }
    Err(LimitHit {
        name: "crossing",
        at: bounds.crossing,
        used: bytes,
    })
}

/// Whether an answer may have this many keys.
fn enough(bounds: &Bounds, keys: u64) -> Result<(), LimitHit> {
    if keys <= bounds.entries {
        return Ok(());
    }
    Err(LimitHit {
        name: "entries",
        at: bounds.entries,
        used: keys,
    })
}
