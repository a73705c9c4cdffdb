//! How functions are served that only calculate: nothing of the machine is touched.
//!
//! What is given to them is bounded by `crossing`, what they answer by the same; small work runs where the guest runs,
//! large work on a thread that can be left alone when the guest's time is over.

use std::sync::Arc;

use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentNamedList, Lift, LinkerInstance, Lower};

use super::CapabilityError;
use super::call::{self, Arguments, Bounds, Crossing, Site};
use super::host::Host;
use super::outcome::{Failure, LimitHit};
use super::refusal::{self, told};

/// Bytes of arguments that are worked on at once: less than a thread's start costs.
const SMALL: u64 = 16 * 1024;

/// Why a function gives no value.
pub(crate) type Refusal = refusal::Refusal<String>;

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Error(text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Self {
        Self::Error(text.to_owned())
    }
}

/// What a function gives.
pub(crate) type Answer<R> = Result<R, Refusal>;

/// What an answer has grown to, while it is made.
#[derive(Debug)]
pub(crate) struct Size<'a> {
    bounds: &'a Bounds,
    bytes: u64,
}

impl<'a> Size<'a> {
    /// Nothing so far.
    pub(crate) fn new(bounds: &'a Bounds) -> Self {
        Self { bounds, bytes: 0 }
    }

    /// Counts what is about to be added. A long loop ends here when nobody waits for it any more.
    pub(crate) fn add(&mut self, bytes: usize) -> Answer<()> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        self.fits(self.bytes)
    }

    /// Whether an answer of `bytes` may be given.
    pub(crate) fn fits(&self, bytes: u64) -> Answer<()> {
        if self.bounds.abandoned() {
            // Nobody reads it.
            return Err("the call was given up".into());
        }
        let at = self.bounds.crossing;
        if bytes <= at {
            return Ok(());
        }
        Err(LimitHit {
            name: "crossing",
            at,
            used: bytes,
        }
        .into())
    }
}

/// No such function is served here.
pub(crate) fn unknown(site: &Site) -> CapabilityError {
    CapabilityError::Unknown {
        import: site.import.clone(),
        function: site.function.clone(),
    }
}

/// Defines a function that returns `result<R, string>`.
pub(crate) fn fallible<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: fn(&P, &Bounds) -> Answer<R>,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (Result<R, String>,): ComponentNamedList + Lower + 'static,
{
    served(target, site, move |parameters, bounds| {
        told(work(parameters, bounds))
    })
}

/// Defines a function that returns its value, which can be much larger than what is given.
pub(crate) fn limited<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: fn(&P, &Bounds) -> Answer<R>,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    served(target, site, move |parameters, bounds| {
        told(work(parameters, bounds))?.map_err(Failure::trap)
    })
}

/// Defines a function that returns its value.
pub(crate) fn infallible<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: fn(&P) -> R,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    served(target, site, move |parameters, _| Ok(work(parameters)))
}

fn served<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: impl Fn(&P, &Bounds) -> Result<R, Failure> + Copy + Send + Sync + 'static,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    let name = site.function.clone();
    target.func_wrap_async(&name, move |store, parameters: P| {
        let site = Arc::clone(&site);
        Box::new(async move { Ok((computed(store, &site, parameters, work).await?,)) })
    })?;
    Ok(())
}

async fn computed<P, R>(
    store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: P,
    work: impl FnOnce(&P, &Bounds) -> Result<R, Failure> + Send + 'static,
) -> wasmtime::Result<R>
where
    P: Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
{
    if parameters.bytes() <= SMALL {
        return call::at_once(store, site, &parameters, |_, parameters, bounds| {
            work(parameters, bounds)
        });
    }
    call::blocking(store, site, parameters, work).await
}

/// As [`fallible`], for work that is dear even where little is given, and that takes something of the instance along.
pub(crate) fn fallible_with<S, P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    take: fn(&Host) -> S,
    work: fn(&S, &P, &Bounds) -> Answer<R>,
) -> Result<(), CapabilityError>
where
    S: Send + 'static,
    P: ComponentNamedList + Lift + Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    (Result<R, String>,): ComponentNamedList + Lower + 'static,
{
    let name = site.function.clone();
    target.func_wrap_async(&name, move |store, parameters: P| {
        let site = Arc::clone(&site);
        let taken = take(store.data());
        Box::new(async move {
            let answer = call::blocking(store, &site, parameters, move |parameters, bounds| {
                told(work(&taken, parameters, bounds))
            })
            .await?;
            Ok((answer,))
        })
    })?;
    Ok(())
}

/// Defines a function that needs the instance's own state and is over at once.
pub(crate) fn stateful<P, R>(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    work: impl Fn(&mut Host, &P, &Bounds) -> Result<R, Failure> + Send + Sync + 'static,
) -> Result<(), CapabilityError>
where
    P: ComponentNamedList + Lift + Arguments + 'static,
    R: Crossing + 'static,
    (R,): ComponentNamedList + Lower + 'static,
{
    let name = site.function.clone();
    target.func_wrap(&name, move |store, parameters: P| {
        Ok((call::at_once(store, &site, &parameters, &work)?,))
    })?;
    Ok(())
}
