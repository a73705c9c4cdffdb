//! Model: asks a language model. The only stage beside `capability` that may use the network; may start the `command:` program.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use crate::budget::ModelLimits;
use crate::prompt::Prompt;

/// What a provider does: one prompt in, one answer out.
pub trait Model: Send + Sync {
    /// What traces and messages call it: `openai:gpt-4.1-mini`.
    fn name(&self) -> &str;

    /// Asks once, with the provider's own retries.
    fn complete<'a>(
        &'a self,
        request: &'a Request<'a>,
    ) -> Pin<Box<dyn Future<Output = Result<Answer, ModelError>> + Send + 'a>>;
}

/// One request.
pub struct Request<'a> {
    /// What is asked.
    pub prompt: &'a Prompt,
    /// Place of the hole in the tree: `audit`, `audit/0`.
    pub path: &'a str,
    /// Attempt, from 1.
    pub attempt: u32,
    /// When the session's time ends.
    pub deadline: Instant,
    /// Limits of the hole.
    pub limits: &'a ModelLimits,
    /// Told of progress and retries, a line each.
    pub notify: &'a (dyn Fn(&str) + Send + Sync),
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Input tokens, if the provider counts.
    pub tokens_in: Option<u64>,
    /// Output tokens, if the provider counts.
    pub tokens_out: Option<u64>,
    /// Why it ended, in the provider's word.
    pub stop_reason: Option<String>,
    /// From request to last byte.
    pub elapsed: Duration,
}

/// Why there is no answer. Replaced by the provider's enum.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Placeholder of the interface.
    #[error("{0}")]
    Other(String),
}
