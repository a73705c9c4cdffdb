//! What a server's error means: whether another try may help, and what to call it.

use std::time::Duration;

use serde_json::Value;

use super::Http;
use crate::error::text::one_line;
use crate::model::ModelError;

/// Why one try gave no answer.
pub(super) enum Failure {
    /// Another try would give the same.
    Lasting(ModelError),
    /// Another try may help; the server may have said when.
    Passing(ModelError, Option<Duration>),
}

/// What an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum Kind {
    /// The request cannot be served as it is.
    Request,
    /// The key is missing, wrong, or may not do this.
    Access,
    /// Only paying helps.
    Payment,
    /// No such model, no such address.
    Missing,
    /// Too much at once; passes.
    Rate,
    /// Too much for today: no wait within a run helps.
    Quota,
    /// The server's own fault; passes.
    Server,
}

impl Kind {
    /// What an HTTP status says; one of success, for an error inside an answer, says nothing but that it may pass.
    fn of(status: u16) -> Self {
        match status {
            401 | 403 => Self::Access,
            402 => Self::Payment,
            404 => Self::Missing,
            429 => Self::Rate,
            // 501 and 505 say that the server will never do it.
            ..300 | 500 | 502..=504 | 506.. => Self::Server,
            _ => Self::Request,
        }
    }
}

impl Http {
    /// The failure of an HTTP status, or of an error inside an answer that began as a success (its own status, or 200:
    /// then only its name tells what it is). `retry_after` is the wait that the server asked for.
    pub(super) fn classify(
        &self,
        status: u16,
        error: &Value,
        retry_after: Option<Duration>,
        tries: u32,
    ) -> Failure {
        let kind = self.form.kind(status, error);
        let kind = kind.unwrap_or_else(|| Kind::of(status));
        let server = self.server.clone();
        let message = self.message(error);
        Failure::Lasting(match kind {
            Kind::Rate | Kind::Quota => {
                let error = ModelError::RateLimited {
                    server,
                    message,
                    tries,
                    retry_after,
                };
                if kind == Kind::Rate {
                    return Failure::Passing(error, retry_after);
                }
                error
            }
            Kind::Server => {
                let error = ModelError::Server {
                    server,
                    status,
                    message,
                    tries,
                    retry_after,
                };
                return Failure::Passing(error, retry_after);
            }
            Kind::Payment => ModelError::Payment {
                server,
                status,
                message,
            },
            Kind::Access => ModelError::Unauthorised {
                server,
                status,
                message,
                variable: self.service.key.map(|key| key.variable),
                address: self.service.address,
                key_sent: self.key_sent,
                key_withheld: self.key_withheld,
            },
            Kind::Missing => ModelError::NotFound {
                server,
                model: one_line(&self.model),
                message,
                address: self.service.address,
            },
            Kind::Request => ModelError::BadRequest {
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
