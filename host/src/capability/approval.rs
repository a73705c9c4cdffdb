//! Approval of calls that can't be undone.
//!
//! A grant allows such calls as it allows others. Whoever wants a say in each of them gives an [`Approve`]; what is
//! approved is one call, with exactly these arguments, by exactly this component: its hash says so.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

/// A future that can be sent to another thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Says whether a call that can't be undone may be made.
pub trait Approve: Send + Sync {
    /// Decides on one call. The time that it takes is not the guest's; the session's time goes on.
    fn approve(&self, request: Arc<Request>) -> BoxFuture<'static, Decision>;
}

impl<F> Approve for F
where
    F: Fn(&Request) -> bool + Send + Sync,
{
    fn approve(&self, request: Arc<Request>) -> BoxFuture<'static, Decision> {
        let approved = self(&request);
        let by = "the host program".to_owned();
        Box::pin(std::future::ready(Decision { approved, by }))
    }
}

/// One call that is about to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The hole.
    pub hole: String,
    /// Label of the import.
    pub import: String,
    /// WIT name of the function.
    pub function: String,
    /// Its arguments, whole, in the JSON of CONTRACTS section 2.
    pub arguments: Vec<Json>,
    /// `blake3:…` of the component that makes it.
    pub component: String,
}

impl Request {
    /// `blake3:…` of all of it: what an approval is bound to.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let arguments = Json::from(self.arguments.clone()).to_string();
        for part in [
            &self.hole,
            &self.import,
            &self.function,
            &self.component,
            &arguments,
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        format!("blake3:{}", hasher.finalize().to_hex())
    }
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Whether the call may be made.
    pub approved: bool,
    /// Who decided, for the trace: `--approve never`, a person.
    pub by: String,
}

/// When a call's time ends. It stands still while somebody is asked.
#[derive(Debug)]
pub(crate) struct Deadline {
    end: Mutex<Instant>,
    asking: AtomicUsize,
}

/// How often a deadline that stands still is looked at.
const LOOK: Duration = Duration::from_millis(20);

impl Deadline {
    /// One that ends then.
    pub(crate) fn new(end: Instant) -> Self {
        Self {
            end: Mutex::new(end),
            asking: AtomicUsize::new(0),
        }
    }

    /// When it ends, if nobody is asked until then.
    pub(crate) fn end(&self) -> Instant {
        *self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.asking.load(Ordering::SeqCst) == 0 && Instant::now() >= self.end()
    }

    /// Stands still until the guard is dropped.
    pub(crate) fn pause(self: &Arc<Self>) -> Pause {
        self.asking.fetch_add(1, Ordering::SeqCst);
        Pause {
            deadline: Arc::clone(self),
            since: Instant::now(),
        }
    }

    /// Waits for `work`, but no longer than the deadline.
    pub(crate) async fn within<R>(&self, work: impl Future<Output = R>) -> Option<R> {
        let mut work = std::pin::pin!(work);
        loop {
            // While somebody is asked the end is not known.
            let at = match self.asking.load(Ordering::SeqCst) {
                0 => self.end(),
                _ => Instant::now() + LOOK,
            };
            tokio::select! {
                biased;
                done = &mut work => return Some(done),
                () = tokio::time::sleep_until(at.into()) => {
                    if self.is_over() {
                        return None;
                    }
                }
            }
        }
    }
}

/// Ends the standstill when it is dropped.
pub(crate) struct Pause {
    deadline: Arc<Deadline>,
    since: Instant,
}

impl Drop for Pause {
    fn drop(&mut self) {
        let asked = self.since.elapsed();
        let mut end = self
            .deadline
            .end
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(later) = end.checked_add(asked) {
            *end = later;
        }
        drop(end);
        self.deadline.asking.fetch_sub(1, Ordering::SeqCst);
    }
}
