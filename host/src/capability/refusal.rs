//! Functions that return `result<R, E>`: what they refuse is either a value for the guest or its end.

use std::sync::Arc;

use wasmtime::component::{ComponentNamedList, Lift, LinkerInstance, Lower};

use super::CapabilityError;
use super::call::{self, Arguments, Bounds, Crossing, Site};
use super::host::Host;
use super::outcome::{Failure, LimitHit};

/// Why a function gives no value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal<E> {
    /// The guest gets it as an error value.
    Error(E),
    /// It ends the guest.
    Limit(LimitHit),
}

impl<E> From<LimitHit> for Refusal<E> {
    fn from(hit: LimitHit) -> Self {
        Self::Limit(hit)
    }
}

/// What the guest is told: an error is a value, a limit is the end.
pub(crate) fn told<R, E>(answer: Result<R, Refusal<E>>) -> Result<Result<R, E>, Failure> {
    match answer {
        Ok(value) => Ok(Ok(value)),
        Err(Refusal::Error(error)) => Ok(Err(error)),
        Err(Refusal::Limit(hit)) => Err(hit.into()),
    }
}

/// Defines a function whose work may block.
pub(crate) fn serve<S, P, R, E>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    state: &Arc<S>,
    work: fn(&S, &P, &Bounds) -> Result<R, Refusal<E>>,
) -> Result<(), CapabilityError>
where
    S: Send + Sync + 'static,
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    E: Crossing + Send + 'static,
    (Result<R, E>,): ComponentNamedList + Lower + 'static,
{
    let name = site.function.clone();
    let state = Arc::clone(state);
    target.func_wrap_async(&name, move |store, parameters: P| {
        let site = Arc::clone(&site);
        let state = Arc::clone(&state);
        Box::new(async move {
            let answer = call::blocking(store, &site, parameters, move |parameters, bounds| {
                told(work(&state, parameters, bounds))
            })
            .await?;
            Ok((answer,))
        })
    })?;
    Ok(())
}
