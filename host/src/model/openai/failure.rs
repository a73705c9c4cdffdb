//! What a server's error means: whether another try may help, and what to call it.

use std::time::Duration;

use serde_json::Value;

use super::{KEY, OpenAi};
use crate::model::ModelError;
use crate::model::text::one_line;

/// Why one try gave no answer.
pub(super) enum Failure {
    /// Another try would give the same.
    Lasting(ModelError),
    /// Another try may help; the server may have said when.
    Passing(ModelError, Option<Duration>),
}

impl OpenAi {
    /// The failure of an HTTP status, or of an error inside an answer that began as a success (its own `code`, or 200:
    /// then only its name tells what it is). `retry_after` is the wait that the server asked for.
    pub(super) fn classify(
        &self,
        status: u16,
        body: &Value,
        retry_after: Option<Duration>,
        tries: u32,
    ) -> Failure {
        let error = body.get("error").unwrap_or(body);
        let named = |part: &str| {
            [&error["code"], &error["type"]]
                .iter()
                .any(|name| name.as_str().is_some_and(|name| name.contains(part)))
        };
        let server = self.server.clone();
        let message = self.message(error);
        let begun = status < 300;
        // Servers say 429 for an empty purse too, and no wait fills it.
        let unpaid = (status == 429 || begun) && named("insufficient_quota");
        if status == 402 || unpaid {
            return Failure::Lasting(ModelError::Payment {
                server,
                status,
                message,
            });
        }
        if status == 429 || begun && named("rate_limit") {
            let error = ModelError::RateLimited {
                server,
                message,
                tries,
                retry_after,
            };
            return Failure::Passing(error, retry_after);
        }
        // 501 and 505 say that the server will never do it.
        let passing = matches!(status, 500 | 502..=504 | 506..);
        if passing || begun && !named("invalid") {
            let error = ModelError::Server {
                server,
                status,
                message,
                tries,
                retry_after,
            };
            return Failure::Passing(error, retry_after);
        }
        Failure::Lasting(match status {
            401 | 403 => ModelError::Unauthorised {
                server,
                status,
                message,
                variable: KEY,
                key_sent: self.authorization.is_some(),
                key_withheld: self.key_withheld,
            },
            404 => ModelError::NotFound {
                server,
                model: one_line(&self.model),
                message,
            },
            _ => ModelError::BadRequest {
                server,
                status,
                message,
            },
        })
    }

    /// The server's words, wherever it put them.
    fn message(&self, error: &Value) -> String {
        let words = [&error["message"], &error["detail"], error]
            .into_iter()
            .find_map(|value| value.as_str().filter(|text| !text.trim().is_empty()));
        match words {
            Some(words) => self.clean(words),
            None if error.as_object().is_some_and(|fields| !fields.is_empty()) => {
                self.clean(&error.to_string())
            }
            None => "without a reason".to_owned(),
        }
    }
}
