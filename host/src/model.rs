//! Model: asks a language model. The only stage beside `capability` that may use the network; may start the `command:`
//! program and a person's editor.
//!
//! One trait, [`Model`], and its ways to answer: the forms of OpenAI, Anthropic, Gemini and Ollama over HTTP, a program
//! of the user's, a person, recorded files, and a wrapper that records any of them. [`open`] makes one from the
//! manifest's table or from `--model`, with an [`Environment`] that was read once at the edge. Nothing here knows what
//! a prompt means: text goes out, text comes back, and why there is none is a [`ModelError`].
//!
//! A provider over HTTP is a `Form`: how its request, its reply and its failures are written. What they share (where a
//! key may go, retries and waits, limits, streams) stands once, in `http`.

mod anthropic;
mod clock;
mod command;
mod cost;
mod error;
mod gemini;
mod http;
mod human;
mod keys;
mod ollama;
mod openai;
mod record;
mod replay;
mod settings;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use crate::budget::ModelLimits;
use crate::prompt::Prompt;

pub use cost::Usage;
pub use error::ModelError;
pub use keys::{Environment, Secret};
pub use record::Record;
pub use replay::prompt_hash;
pub use settings::{open, parse_spec};

/// The future of [`Model::complete`], boxed so that models can stand behind `dyn Model`.
pub type Completion<'a> = Pin<Box<dyn Future<Output = Result<Answer, ModelError>> + Send + 'a>>;

/// What a provider does: one prompt in, one answer out.
pub trait Model: Send + Sync {
    /// What traces and messages call it: `openai:gpt-4.1-mini`.
    fn name(&self) -> &str;

    /// Asks once, with the provider's own retries. Dropping the future ends the request: the connection is closed, a
    /// program that was started is killed with its children.
    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a>;
}

/// One request.
pub struct Request<'a> {
    /// What is asked.
    pub prompt: &'a Prompt,
    /// Place of the hole in the tree: `audit`, `audit/0`.
    pub path: &'a str,
    /// Attempt, from 1.
    pub attempt: u32,
    /// The most tokens that the answer may have, as far as the budget goes; the model's own bound holds too.
    pub output_tokens: u64,
    /// When the session's time ends.
    pub deadline: Instant,
    /// Limits of the hole.
    pub limits: &'a ModelLimits,
    /// Told of progress and retries, a line each.
    pub notify: &'a (dyn Fn(&str) + Send + Sync),
    /// Told of each retry, before it waits.
    pub retried: &'a (dyn Fn() + Send + Sync),
    /// Told of a text of many lines that a person wants to copy as it is.
    pub show: &'a (dyn Fn(&str) + Send + Sync),
    /// Told how many bytes of the answer's text have come so far, as they come. A retry starts anew.
    pub received: &'a (dyn Fn(u64) + Send + Sync),
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
