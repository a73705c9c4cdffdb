//! `lacuna:clock`: reading the clock, which is authority, and calculating with dates, which is none.
//!
//! Dates are jiff's. It knows UTC and fixed offsets here and no time zones by name: a data base of zones would be either
//! the machine's, so that the same snippet gives other values elsewhere, or one of our own that grows old.

mod calendar;
mod duration;
mod pattern;
#[cfg(test)]
mod tests;
mod types;

use std::sync::Arc;
use std::time::Instant as Start;

use jiff::Timestamp;
use jiff::tz::Offset;
use wasmtime::component::LinkerInstance;

use super::compute::{self, stateful};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::Failure;
use super::{CapabilityError, Provide};
use crate::capability::call::Site;
use crate::grant::ClockGrant;
use crate::scope::ScopeFunction;
pub(crate) use calendar::Calendar;
use types::{Date, Instant};

/// What a reading of the monotonic clock adds where the clock is fixed, nanoseconds.
const FIXED_STEP: u64 = 1_000_000;

/// What an instance knows of its clock.
#[derive(Debug)]
pub(crate) struct Readings {
    /// When the instance was made: the zero of its monotonic clock, which so tells nothing of the machine.
    start: Start,
    /// How often it was read.
    count: u64,
}

impl Default for Readings {
    fn default() -> Self {
        Self {
            start: Start::now(),
            count: 0,
        }
    }
}

/// `lacuna:clock/wall`.
pub(crate) struct Wall {
    grant: ClockGrant,
}

impl Wall {
    /// With the grant's fixed time, if it has one.
    pub(crate) fn new(grant: &ClockGrant) -> Self {
        Self {
            grant: grant.clone(),
        }
    }
}

impl Provide for Wall {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let fixed = self.grant.fixed;
        let now = move || fixed.unwrap_or_else(Timestamp::now);
        match function.wit.as_str() {
            "now" => stateful(target, site, move |_, (): &(), _| Ok(Instant::of(now()))),
            "today" => stateful(target, site, move |_, (): &(), _| {
                Ok(Date::of(Offset::UTC.to_datetime(now()).date()))
            }),
            _ => Err(compute::unknown(&site)),
        }
    }
}

/// `lacuna:clock/monotonic`.
pub(crate) struct Monotonic {
    fixed: bool,
}

impl Monotonic {
    /// Where the grant fixes the clock, each reading is a millisecond after the one before.
    pub(crate) fn new(grant: &ClockGrant) -> Self {
        Self {
            fixed: grant.fixed.is_some(),
        }
    }
}

impl Provide for Monotonic {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let fixed = self.fixed;
        match function.wit.as_str() {
            "now" => stateful(target, site, move |host, (): &(), _| {
                Ok::<_, Failure>(host.readings.next(fixed))
            }),
            _ => Err(compute::unknown(&site)),
        }
    }
}

impl Readings {
    fn next(&mut self, fixed: bool) -> u64 {
        let before = self.count;
        self.count = self.count.saturating_add(1);
        if fixed {
            return before.saturating_mul(FIXED_STEP);
        }
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
