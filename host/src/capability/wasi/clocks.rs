//! `wasi:clocks`.

use std::sync::Arc;

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime_wasi::clocks::WasiClocksCtxView;
use wasmtime_wasi::p2::DynPollable;
use wasmtime_wasi::p2::bindings::clocks::{monotonic_clock, wall_clock};

use super::{State, served, unknown};
use crate::capability::CapabilityError;
use crate::capability::call::Site;
use crate::capability::host::Host;

impl State {
    fn clocks(&mut self) -> WasiClocksCtxView<'_> {
        WasiClocksCtxView {
            ctx: &mut self.clocks,
            table: &mut self.table,
        }
    }
}

/// Defines a function of `wasi:clocks/wall-clock`.
pub(super) fn wall(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    use wall_clock::{Datetime, Host as _};
    match name {
        "now" => served!(target, site, |state, bounds| () -> Datetime { state.clocks().now() }),
        "resolution" => {
            served!(target, site, |state, bounds| () -> Datetime { state.clocks().resolution() })
        }
        _ => Err(unknown(&site)),
    }
}

/// Defines a function of `wasi:clocks/monotonic-clock`.
pub(super) fn monotonic(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    use monotonic_clock::Host as _;
    match name {
        "now" => served!(target, site, |state, bounds| () -> u64 { state.clocks().now() }),
        "resolution" => {
            served!(target, site, |state, bounds| () -> u64 { state.clocks().resolution() })
        }
        "subscribe-instant" => {
            served!(target, site, |state, bounds| (when: u64) -> Resource<DynPollable> {
                state.clocks().subscribe_instant(when)
            })
        }
        "subscribe-duration" => {
            served!(target, site, |state, bounds| (when: u64) -> Resource<DynPollable> {
                state.clocks().subscribe_duration(when)
            })
        }
        _ => Err(unknown(&site)),
    }
}
