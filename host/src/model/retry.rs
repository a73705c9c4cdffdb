//! How long to wait before a request is sent again.

use std::time::{Duration, SystemTime};

/// Exponential waits with full jitter: clients that failed together do not come back together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backoff {
    /// Longest wait before the first retry.
    pub(super) first: Duration,
    /// Longest wait before any retry.
    pub(super) most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(500),
            most: Duration::from_secs(8),
        }
    }
}

impl Backoff {
    /// A wait before retry number `retry`, from 0.
    pub(super) fn wait(&self, retry: u32) -> Duration {
        let ceiling = self
            .first
            .saturating_mul(2u32.saturating_pow(retry))
            .min(self.most);
        ceiling.mul_f64(fastrand::f64())
    }
}

/// The wait that a `Retry-After` header asks for (RFC 9110, section 10.2.3): seconds, or a date. A date in the past is
/// no wait; what is neither is as if it were not there. Fractions of seconds are not in the RFC, but servers send them.
pub(super) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        if seconds.is_nan() || seconds < 0.0 {
            return None;
        }
        return Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let read = |header| retry_after(header, now);
        assert_eq!(read("3"), Some(Duration::from_secs(3)));
        assert_eq!(read(" 0.5 "), Some(Duration::from_millis(500)));
        assert_eq!(
            read("Sun, 06 Nov 1994 08:49:47 GMT"),
            Some(Duration::from_secs(10))
        );
        assert_eq!(read("Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(read("99999999999999999999999"), Some(Duration::MAX));
        for garbage in ["soon", "-1", "NaN", ""] {
            assert_eq!(read(garbage), None, "{garbage}");
        }
    }

    #[test]
    fn waits_grow_to_the_cap() {
        let backoff = Backoff {
            first: Duration::from_millis(100),
            most: Duration::from_millis(300),
        };
        for retry in [0, 1, 2, 40, u32::MAX] {
            let ceiling = if retry == 0 {
                100
            } else if retry == 1 {
                200
            } else {
                300
            };
            for _ in 0..50 {
                assert!(backoff.wait(retry) <= Duration::from_millis(ceiling));
            }
        }
    }
}
