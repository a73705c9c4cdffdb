//! One host call, whoever serves it: counted, weighed, timed, reported.
//!
//! Numbers that a guest controls end here. What a provider is given fits `crossing`, and it is left alone at
//! `host-call-wall`; what it answers is weighed again before it is copied into the guest.

use std::collections::HashSet;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value as Json;
use wasmtime::StoreContextMut;

use super::approval::Request;
use super::host::Host;
use super::outcome::{Failure, FailureKind, HostCall, LimitHit, Sent};
use super::rules;
use crate::grant::Rules;
use crate::labels::Labels;

/// A granted function, as reports name it.
#[derive(Debug)]
pub(crate) struct Site {
    /// Label of the import.
    pub(crate) import: String,
    /// WIT name of the function.
    pub(crate) function: String,
    /// What is allowed of it.
    pub(crate) rules: Arc<Rules>,
}

/// A typed value that crosses between guest and host.
pub(crate) trait Crossing {
    /// Bytes as the host holds it.
    fn bytes(&self) -> u64;
    /// JSON of CONTRACTS section 2; long texts and byte lists cut.
    fn report(&self) -> Json;
    /// The same, whole: what rules on arguments look at.
    fn exact(&self) -> Json {
        self.report()
    }
}

/// What a provider may use, and how it learns that nobody waits any more.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// `entries`.
    pub entries: u64,
    /// `crossing`: bytes that the arguments and the answer may have together, as the host holds them.
    pub crossing: u64,
    /// `staged` and `staged-keys`: bytes that the guest's call may write, and paths that it may change.
    staged: u64,
    staged_keys: u64,
    /// What it has written and changed so far.
    changes: Arc<Changes>,
    /// Set when the call was given up: by its time limit, by the session's end, by Ctrl-C.
    abandoned: Arc<AtomicBool>,
}

impl Bounds {
    /// Those of the call that `host` is in.
    fn of(host: &Host) -> Self {
        Self {
            entries: host.limits.entries,
            crossing: host.limits.crossing,
            staged: host.limits.staged,
            staged_keys: host.limits.staged_keys,
            changes: Arc::clone(&host.changes),
            abandoned: Arc::default(),
        }
    }

    /// The same, and what tells their holders that the call was given up, when it is dropped.
    pub(crate) fn watched(host: &Host) -> (Self, Abandon) {
        let bounds = Self::of(host);
        let abandon = Abandon(Arc::clone(&bounds.abandoned));
        (bounds, abandon)
    }

    /// Bounds of a call that nobody gives up.
    #[cfg(test)]
    pub(crate) fn new(entries: u64, crossing: u64) -> Self {
        Self {
            entries,
            crossing,
            staged: u64::MAX,
            staged_keys: u64::MAX,
            changes: Arc::default(),
            abandoned: Arc::new(AtomicBool::new(false)),
        }
    }

    /// The same bounds with other limits of what is written.
    #[cfg(test)]
    pub(crate) fn staging(mut self, bytes: u64, keys: u64) -> Self {
        self.staged = bytes;
        self.staged_keys = keys;
        self
    }

    /// As when the call's time is over.
    #[cfg(test)]
    pub(crate) fn give_up(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Counts bytes that are about to be written.
    pub(crate) fn write(&self, bytes: u64) -> Result<(), LimitHit> {
        let before = self.changes.bytes.fetch_add(bytes, Ordering::Relaxed);
        let used = before.saturating_add(bytes);
        if used <= self.staged {
            return Ok(());
        }
        Err(LimitHit {
            name: "staged",
            at: self.staged,
            used,
        })
    }

    /// Bytes that may still be written.
    pub(crate) fn room(&self) -> u64 {
        let written = self.changes.bytes.load(Ordering::Relaxed);
        self.staged.saturating_sub(written)
    }

    /// Counts a path that is about to be changed, once however often it is. A path in another spelling is another one.
    pub(crate) fn change(&self, path: &str) -> Result<(), LimitHit> {
        let mut keys = self
            .changes
            .keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        keys.insert(blake3::hash(path.as_bytes()));
        let used = keys.len() as u64;
        if used <= self.staged_keys {
            return Ok(());
        }
        Err(LimitHit {
            name: "staged-keys",
            at: self.staged_keys,
            used,
        })
    }

    /// Whether the call was given up: nobody waits for its answer any more. Long loops ask.
    pub fn abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

/// What a call has changed outside. Paths are kept as hashes: a guest chooses how long they are.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    bytes: AtomicU64,
    keys: Mutex<HashSet<blake3::Hash>>,
}

/// Sets the flag when the call's future ends, in whichever way.
pub(crate) struct Abandon(Arc<AtomicBool>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A call in progress.
pub(crate) struct Running<'a> {
    site: &'a Site,
    started: Instant,
    arguments: Vec<Json>,
    bytes: u64,
    /// What the arguments may hold: all that the instance has been given.
    labels: Labels,
    /// Whether this call can't be undone.
    irreversible: bool,
}

impl<'a> Running<'a> {
    /// Counts the call, weighs its arguments, and holds it to the rules of its grant. `report` is asked only if somebody
    /// listens, `exact` only if a rule looks at the arguments.
    pub(crate) fn enter(
        host: &mut Host,
        site: &'a Site,
        bytes: u64,
        report: impl FnOnce() -> Vec<Json>,
        exact: impl FnOnce() -> Vec<Json>,
    ) -> wasmtime::Result<Self> {
        let arguments = if host.observer.wants_calls() {
            report()
        } else {
            Vec::new()
        };
        let running = Self {
            site,
            started: Instant::now(),
            arguments,
            bytes,
            labels: host.labels,
            irreversible: site.rules.irreversible,
        };
        host.host_calls = host.host_calls.saturating_add(1);
        if host.host_calls > host.limits.host_calls {
            let hit = LimitHit {
                name: "host-calls",
                at: host.limits.host_calls,
                used: host.host_calls,
            };
            return Err(running.fail(host, hit));
        }
        if bytes > host.limits.crossing {
            let hit = LimitHit {
                name: "crossing",
                at: host.limits.crossing,
                used: bytes,
            };
            return Err(running.fail(host, hit));
        }
        match rules::hold(host, site, exact) {
            Ok(()) => Ok(running),
            Err(failure) => Err(running.fail(host, failure)),
        }
    }

    /// Weighs and reports the result.
    pub(crate) fn leave(
        self,
        host: &mut Host,
        bytes: u64,
        report: impl FnOnce() -> Option<Json>,
    ) -> wasmtime::Result<()> {
        let total = self.bytes.saturating_add(bytes);
        if total > host.limits.crossing {
            let hit = LimitHit {
                name: "crossing",
                at: host.limits.crossing,
                used: total,
            };
            return Err(self.fail(host, hit));
        }
        host.labels = host.labels.with(self.site.rules.labels);
        if host.observer.wants_calls() {
            let result = report();
            self.tell(host, Ok(result.as_ref()));
        }
        Ok(())
    }

    /// Reports that the call ends the guest, and gives the error that does it.
    pub(crate) fn fail(self, host: &mut Host, failure: impl Into<Failure>) -> wasmtime::Error {
        let failure = failure.into();
        if failure.kind == FailureKind::Trap {
            // These are words of whoever serves the function, and are what its results are.
            host.labels = host.labels.with(self.site.rules.labels);
        }
        if host.observer.wants_calls() {
            self.tell(host, Err(&failure.message));
        }
        host.fail(failure)
    }

    fn tell(&self, host: &Host, result: Result<Option<&Json>, &str>) {
        host.observer.host_call(HostCall {
            import: &self.site.import,
            function: &self.site.function,
            arguments: &self.arguments,
            result,
            elapsed: self.started.elapsed(),
            irreversible: self.irreversible,
            labels: self.labels,
            result_labels: host.labels,
        });
    }
}

/// Serves one call by work that may block: it runs on a thread for blocking work, for at most `host-call-wall`.
///
/// When the time is over the guest ends at once. The thread is told through [`Bounds::abandoned`] and ends by itself;
/// providers must not start anything that can block for good.
pub(crate) async fn blocking<P, R>(
    store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: P,
    work: impl FnOnce(&P, &Bounds) -> Result<R, Failure> + Send + 'static,
) -> wasmtime::Result<R>
where
    P: Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
{
    blocking_then(store, site, parameters, work, |answer| {
        std::future::ready(Ok(answer))
    })
    .await
}

/// As [`blocking`], and then waits for `then`, which holds no thread. One `host-call-wall` bounds both.
pub(crate) async fn blocking_then<P, M, R, F>(
    mut store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: P,
    work: impl FnOnce(&P, &Bounds) -> Result<M, Failure> + Send + 'static,
    then: impl FnOnce(M) -> F,
) -> wasmtime::Result<R>
where
    P: Arguments + Send + Sync + 'static,
    M: Send + 'static,
    R: Crossing + Send + 'static,
    F: Future<Output = Result<R, Failure>>,
{
    let running = enter(&mut store, site, &parameters).await?;
    let host = store.data_mut();
    let (bounds, _abandon) = Bounds::watched(host);
    let job = async {
        match tokio::task::spawn_blocking(move || work(&parameters, &bounds)).await {
            Ok(Ok(answer)) => then(answer).await,
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(broken(site)),
        }
    };
    let answer = timed(host, job).await;
    finish(&mut store, running, answer)
}

/// Serves one call by work that waits without a thread, for at most `host-call-wall`; then it is dropped.
pub(crate) async fn awaited<P, R, F>(
    mut store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: P,
    work: impl FnOnce(P, Bounds) -> F,
) -> wasmtime::Result<R>
where
    P: Arguments + Send + Sync + 'static,
    R: Crossing + Send + 'static,
    F: Future<Output = Result<R, Failure>> + Send,
{
    let running = enter(&mut store, site, &parameters).await?;
    let host = store.data_mut();
    let (bounds, _abandon) = Bounds::watched(host);
    let answer = timed(host, work(parameters, bounds)).await;
    finish(&mut store, running, answer)
}

async fn enter<'a, P: Arguments>(
    store: &mut StoreContextMut<'_, Host>,
    site: &'a Site,
    parameters: &P,
) -> wasmtime::Result<Running<'a>> {
    let mut running = Running::enter(
        store.data_mut(),
        site,
        parameters.bytes(),
        || parameters.report(),
        || parameters.exact(),
    )?;
    if parameters.reversible() {
        running.irreversible = false;
        return Ok(running);
    }
    approved(store, site, running, || parameters.exact()).await
}

/// Asks, if the call can't be undone and there is somebody to ask, and notes that it is made.
pub(crate) async fn approved<'a>(
    store: &mut StoreContextMut<'_, Host>,
    site: &Site,
    running: Running<'a>,
    exact: impl FnOnce() -> Vec<Json>,
) -> wasmtime::Result<Running<'a>> {
    if !site.rules.irreversible {
        return Ok(running);
    }
    let host = store.data_mut();
    let sent = Sent {
        import: site.import.clone(),
        function: site.function.clone(),
        arguments: exact(),
        cut: false,
    };
    let Some(approve) = host.services.approve.clone() else {
        host.note_sent(sent);
        return Ok(running);
    };
    let request = Arc::new(Request {
        hole: host.hole.clone(),
        import: sent.import.clone(),
        function: sent.function.clone(),
        arguments: sent.arguments.clone(),
        component: host.component.clone(),
    });
    let pause = host.deadline.pause();
    let decision = approve.approve(Arc::clone(&request)).await;
    drop(pause);
    host.observer.approval(&request, &decision, host.labels);
    if decision.approved {
        host.note_sent(sent);
        return Ok(running);
    }
    Err(running.fail(host, rules::refused(site, &decision)))
}

fn finish<R: Crossing>(
    store: &mut StoreContextMut<'_, Host>,
    running: Running<'_>,
    answer: Result<Result<R, Failure>, LimitHit>,
) -> wasmtime::Result<R> {
    match answer {
        Ok(Ok(answer)) => {
            running.leave(store.data_mut(), answer.bytes(), || Some(answer.report()))?;
            Ok(answer)
        }
        Ok(Err(failure)) => Err(running.fail(store.data_mut(), failure)),
        Err(hit) => Err(running.fail(store.data_mut(), hit)),
    }
}

/// Serves one call by work that is over at once, on the guest's own thread.
pub(crate) fn at_once<P, R>(
    mut store: StoreContextMut<'_, Host>,
    site: &Site,
    parameters: &P,
    work: impl FnOnce(&mut Host, &P, &Bounds) -> Result<R, Failure>,
) -> wasmtime::Result<R>
where
    P: Arguments,
    R: Crossing,
{
    let host = store.data_mut();
    let running = Running::enter(
        host,
        site,
        parameters.bytes(),
        || parameters.report(),
        || parameters.exact(),
    )?;
    if host.limits.host_call_wall.is_zero() {
        let hit = LimitHit {
            name: "host-call-wall",
            at: 0,
            used: 0,
        };
        return Err(running.fail(host, hit));
    }
    let bounds = Bounds::of(host);
    // The guest's words are data: a fault of ours in reading them ends this guest and nothing else.
    let worked = catch_unwind(AssertUnwindSafe(|| work(host, parameters, &bounds)));
    match worked.unwrap_or_else(|_| Err(broken(site))) {
        Ok(answer) => {
            running.leave(store.data_mut(), answer.bytes(), || Some(answer.report()))?;
            Ok(answer)
        }
        Err(failure) => Err(running.fail(store.data_mut(), failure)),
    }
}

fn broken(site: &Site) -> Failure {
    Failure::trap(format!(
        "the provider of `{}` failed in `{}`",
        site.import, site.function
    ))
}

/// Awaits `work` for at most `host-call-wall`.
pub(crate) async fn timed<R>(host: &Host, work: impl Future<Output = R>) -> Result<R, LimitHit> {
    let at = host.limits.host_call_wall;
    let started = Instant::now();
    if at.is_zero() {
        // What is ready at once would still be let through.
        return Err(LimitHit {
            name: "host-call-wall",
            at: 0,
            used: 0,
        });
    }
    tokio::time::timeout(at, work).await.map_err(|_| LimitHit {
        name: "host-call-wall",
        at: millis(at),
        used: millis(started.elapsed()),
    })
}

/// Whole milliseconds.
pub(crate) fn millis(span: std::time::Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// The parameters of one call.
pub(crate) trait Arguments {
    /// Bytes of all, as the host holds them.
    fn bytes(&self) -> u64;
    /// JSON of each; long texts and byte lists cut.
    fn report(&self) -> Vec<Json>;
    /// JSON of each, whole.
    fn exact(&self) -> Vec<Json>;
    /// Whether this call can be undone although others of its function can't.
    fn reversible(&self) -> bool {
        false
    }
}

macro_rules! arguments {
    ($($name:ident),+) => {
        impl<$($name: Crossing),+> Arguments for ($($name,)+) {
            #[expect(non_snake_case, reason = "a type parameter and its value share the name")]
            fn bytes(&self) -> u64 {
                let ($($name,)+) = self;
                0 $(+ $name.bytes())+
            }
            #[expect(non_snake_case, reason = "a type parameter and its value share the name")]
            fn report(&self) -> Vec<Json> {
                let ($($name,)+) = self;
                vec![$($name.report()),+]
            }
            #[expect(non_snake_case, reason = "a type parameter and its value share the name")]
            fn exact(&self) -> Vec<Json> {
                let ($($name,)+) = self;
                vec![$($name.exact()),+]
            }
        }
    };
}

arguments!(A);
arguments!(A, B);
arguments!(A, B, C);
arguments!(A, B, C, D);
arguments!(A, B, C, D, E);

impl Arguments for () {
    fn bytes(&self) -> u64 {
        0
    }
    fn report(&self) -> Vec<Json> {
        Vec::new()
    }
    fn exact(&self) -> Vec<Json> {
        Vec::new()
    }
}
