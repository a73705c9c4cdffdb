//! `lacuna:random`: numbers from ChaCha20.
//!
//! Without `seed` each instance takes its key from the system. With `seed` the numbers follow from the manifest and the
//! calls alone, and stay the same in every version:
//!
//! - The key of an instance is BLAKE3 in its mode of key derivation, with the context [`CONTEXT`], of the seed (8 bytes,
//!   little-endian), the number of the instance (8 bytes, little-endian), the name of the hole, a zero byte, and the
//!   name of the import.
//! - The number counts the instances of the fill that drew a number, from 0, in the order of their first draws. A hole with one plain
//!   function has an instance per call, so each call has numbers of its own; an instance that is kept goes on in its stream.
//! - The stream is `ChaCha20Rng` of `rand_chacha` with that key, stream 0. How numbers are made of it stands in [`draw`].

mod draw;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use wasmtime::component::LinkerInstance;

use super::call::Site;
use super::compute::{self, stateful};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::Failure;
use super::{CapabilityError, Provide};
use crate::grant::RandomGrant;
use crate::scope::{ScopeFunction, ScopeImport};

/// Context of the keys that are derived from a seed.
const CONTEXT: &str = "lacuna:random 0.1.0 stream of an instance";

/// One granted import.
pub(crate) struct Random {
    source: Arc<Source>,
}

struct Source {
    grant: RandomGrant,
    import: String,
    /// Instances that drew a number.
    instances: AtomicU64,
}

impl Random {
    /// With the grant's seed, if it has one.
    pub(crate) fn new(import: &ScopeImport, grant: &RandomGrant) -> Self {
        Self {
            source: Arc::new(Source {
                grant: grant.clone(),
                import: import.import_name.clone(),
                instances: AtomicU64::new(0),
            }),
        }
    }
}

impl Source {
    /// The stream of the next instance.
    fn stream(&self) -> Result<ChaCha20Rng, Failure> {
        let Some(seed) = self.grant.seed else {
            return ChaCha20Rng::try_from_os_rng().map_err(|error| {
                Failure::trap(format!("the system gives no random numbers: {error}"))
            });
        };
        let number = self.instances.fetch_add(1, Ordering::Relaxed);
        Ok(seeded(seed, number, &self.grant.hole, &self.import))
    }

    /// Draws from the stream of the instance that calls.
    fn draw<R>(
        &self,
        host: &mut Host,
        draw: impl FnOnce(&mut ChaCha20Rng) -> R,
    ) -> Result<R, Failure> {
        if !host.streams.contains_key(&self.import) {
            let stream = self.stream()?;
            host.streams.insert(self.import.clone(), stream);
        }
        match host.streams.get_mut(&self.import) {
            Some(stream) => Ok(draw(stream)),
            None => Err(Failure::trap("the instance has no random numbers")),
        }
    }
}

/// The stream of an instance with this seed.
fn seeded(seed: u64, number: u64, hole: &str, import: &str) -> ChaCha20Rng {
    let mut key = blake3::Hasher::new_derive_key(CONTEXT);
    key.update(&seed.to_le_bytes());
    key.update(&number.to_le_bytes());
    key.update(hole.as_bytes());
    key.update(&[0]);
    key.update(import.as_bytes());
    ChaCha20Rng::from_seed(*key.finalize().as_bytes())
}

impl Provide for Random {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let source = Arc::clone(&self.source);
        match function.wit.as_str() {
            "integer" => stateful(target, site, move |host, (low, high): &(i64, i64), _| {
                source.draw(host, |stream| draw::integer(stream, *low, *high))
            }),
            "float" => stateful(target, site, move |host, (): &(), _| {
                source.draw(host, draw::float)
            }),
            "bytes" => stateful(target, site, move |host, (count,): &(u32,), _| {
                source.draw(host, |stream| draw::bytes(stream, *count))
            }),
            "choose" => stateful(target, site, move |host, (count,): &(u32,), _| {
                source.draw(host, |stream| draw::choose(stream, *count))
            }),
            "shuffle" => stateful(target, site, move |host, (count,): &(u32,), _| {
                source.draw(host, |stream| draw::shuffle(stream, *count))
            }),
            "sample" => stateful(
                target,
                site,
                move |host, (count, amount): &(u32, u32), _| {
                    source.draw(host, |stream| draw::sample(stream, *count, *amount))
                },
            ),
            _ => Err(compute::unknown(&site)),
        }
    }
}
