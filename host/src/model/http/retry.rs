//! How long to wait before a request is sent again.

use std::time::{Duration, SystemTime};

use serde_json::Value;

/// Exponential waits with full jitter: clients that failed together do not come back together.
#[derive(Clone, Copy, Debug)]
pub(in crate::model) struct Backoff {
    /// Longest wait before the first retry.
    pub(in crate::model) first: Duration,
    /// Longest wait before any retry.
    pub(in crate::model) most: Duration,
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
    pub(in crate::model) fn wait(&self, retry: u32) -> Duration {
        let ceiling = self
            .first
            .saturating_mul(2u32.saturating_pow(retry))
            .min(self.most);
        ceiling.mul_f64(fastrand::f64())
    }
}

/// The wait that a `Retry-After` header asks for (RFC 9110, section 10.2.3): seconds, or a date. A date in the past is
/// no wait; what is neither is as if it were not there. Fractions of seconds are not in the RFC, but servers send them.
pub(in crate::model) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return wait(seconds);
    }
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// The wait that an error's body asks for: `retryDelay` among its details (`google.rpc.RetryInfo`), or the words `try
/// again in 1m2.5s` in its message. A sentence about anything else is no wait.
pub(in crate::model) fn hinted(error: &Value) -> Option<Duration> {
    let details = error["details"].as_array().into_iter().flatten();
    let told = details
        .filter_map(|detail| detail["retryDelay"].as_str())
        .find_map(spelt_out);
    told.or_else(|| {
        let message = error["message"].as_str()?.to_ascii_lowercase();
        let (_, rest) = message.split_once("try again in ")?;
        let length = rest
            .find(|c: char| !(c.is_ascii_digit() || ".hms".contains(c)))
            .unwrap_or(rest.len());
        spelt_out(rest[..length].trim_end_matches('.'))
    })
}

/// `22s`, `1m2.5s`, `120ms`.
fn spelt_out(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("h", 3600.0), ("m", 60.0), ("s", 1.0)];
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let number: f64 = rest[..digits].parse().ok()?;
        let (unit, factor) = UNITS
            .into_iter()
            .find(|(unit, _)| rest[digits..].starts_with(unit))?;
        seconds += number * factor;
        rest = &rest[digits + unit.len()..];
    }
    (!text.is_empty()).then(|| wait(seconds)).flatten()
}

/// Seconds as a wait; more than there can be is the longest one.
fn wait(seconds: f64) -> Option<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn waits_in_bodies() {
        let info = "type.googleapis.com/google.rpc.RetryInfo";
        for (delay, millis) in [("22s", 22_000), ("0.5s", 500), ("0s", 0)] {
            let error = json!({"message": "slow", "details": [{"@type": "x"}, {"@type": info, "retryDelay": delay}]});
            assert_eq!(
                hinted(&error),
                Some(Duration::from_millis(millis)),
                "{delay}"
            );
        }
        for (message, millis) in [
            ("Limit reached. Please try again in 20s. Visit us.", 20_000),
            ("Please try again in 1.5s", 1500),
            ("try again in 1m2.5s.", 62_500),
            ("Try again in 120ms", 120),
            ("try again in 1h", 3_600_000),
        ] {
            let error = json!({ "message": message });
            assert_eq!(
                hinted(&error),
                Some(Duration::from_millis(millis)),
                "{message}"
            );
        }
        for message in [
            "try again in a moment",
            "try again in 5",
            "try again in ",
            "try again in é",
            "later",
        ] {
            assert_eq!(hinted(&json!({ "message": message })), None, "{message}");
        }
        assert_eq!(hinted(&json!("try again in 5s")), None);
        let endless = json!({ "message": format!("try again in {}s", "9".repeat(400)) });
        assert_eq!(hinted(&endless), Some(Duration::MAX));
    }

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
