//! When one request must have ended: the model's `timeout` or the session's deadline, whichever comes first.

use std::future::Future;
use std::time::{Duration, Instant};

use super::{ModelError, Request};

/// The end of one request, its retries and the waits between them included: a user who writes `timeout = "30s"` has an
/// answer or an error after 30 s.
pub(super) struct Clock {
    started: Instant,
    timeout: Duration,
    end: Instant,
    ended_by_session: bool,
}

impl Clock {
    /// Starts now.
    pub(super) fn start(request: &Request<'_>, timeout: Duration) -> Self {
        let started = Instant::now();
        // A timeout too large to add can only mean "no shorter than the session".
        let own = Some(timeout)
            // As for every limit, 0 means none.
            .filter(|timeout| !timeout.is_zero())
            .and_then(|timeout| started.checked_add(timeout))
            .unwrap_or(request.deadline);
        Self {
            started,
            timeout,
            end: own.min(request.deadline),
            ended_by_session: request.deadline <= own,
        }
    }

    /// Time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time that is left, zero when there is none.
    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// The work's output, or the error that says which of the two ends was reached. Work that never waits is still
    /// refused when the time had ended before it began.
    pub(super) async fn within<T>(&self, work: impl Future<Output = T>) -> Result<T, ModelError> {
        if self.left().is_zero() {
            return Err(self.ended());
        }
        tokio::time::timeout_at(self.end.into(), work)
            .await
            .map_err(|_| self.ended())
    }

    fn ended(&self) -> ModelError {
        if self.ended_by_session {
            ModelError::Deadline
        } else {
            ModelError::Timeout {
                timeout: self.timeout,
            }
        }
    }
}
