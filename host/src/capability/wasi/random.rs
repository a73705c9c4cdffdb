//! `wasi:random`.

use std::sync::Arc;

use wasmtime::component::LinkerInstance;
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};

use super::{served, unknown};
use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Site};
use crate::capability::host::Host;
use crate::capability::outcome::{Failure, LimitHit};

/// Refuses more bytes than may cross, before they are drawn.
fn weigh(bytes: u64, bounds: &Bounds) -> wasmtime::Result<()> {
    if bytes <= bounds.crossing {
        return Ok(());
    }
    Err(wasmtime::Error::new(Failure::from(LimitHit {
        name: "crossing",
        at: bounds.crossing,
        used: bytes,
    })))
}

/// Defines a function of `wasi:random/random`.
pub(super) fn random(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    use random::Host as _;
    match name {
        "get-random-bytes" => served!(target, site, |state, bounds| (len: u64) -> Vec<u8> {
            weigh(len, bounds)?;
            state.random.get_random_bytes(len)
        }),
        "get-random-u64" => {
            served!(target, site, |state, bounds| () -> u64 { state.random.get_random_u64() })
        }
        _ => Err(unknown(&site)),
    }
}

/// Defines a function of `wasi:random/insecure`.
pub(super) fn insecure(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    use insecure::Host as _;
    match name {
        "get-insecure-random-bytes" => {
            served!(target, site, |state, bounds| (len: u64) -> Vec<u8> {
                weigh(len, bounds)?;
                state.random.get_insecure_random_bytes(len)
            })
        }
        "get-insecure-random-u64" => served!(target, site, |state, bounds| () -> u64 {
            state.random.get_insecure_random_u64()
        }),
        _ => Err(unknown(&site)),
    }
}

/// Defines a function of `wasi:random/insecure-seed`.
pub(super) fn seed(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    use insecure_seed::Host as _;
    match name {
        "insecure-seed" => {
            served!(target, site, |state, bounds| () -> (u64, u64) { state.random.insecure_seed() })
        }
        _ => Err(unknown(&site)),
    }
}
