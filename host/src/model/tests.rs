//! Tests of the providers against the real thing: a server on 127.0.0.1, programs, files.

mod command;
mod dialects;
mod faults;
mod human;
mod openai;
mod providers;
mod recordings;
mod server;
mod settings;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::budget::ModelLimits;
use crate::prompt::Prompt;

use super::http::Http;
use super::http::retry::Backoff;
use super::{Answer, Environment, Model, ModelError, Request, open, parse_spec};

/// One request with everything around it at hand.
struct Asked {
    prompt: Prompt,
    limits: ModelLimits,
    path: &'static str,
    attempt: u32,
    time: Duration,
    notes: Arc<Mutex<Vec<String>>>,
    received: Arc<Mutex<Vec<u64>>>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            prompt: Prompt {
                text: "the head|the rest é".to_owned(),
                head: 9,
            },
            limits: ModelLimits {
                answer: 10_000,
                silence: Duration::from_secs(20),
                retries: 2,
            },
            path: "audit",
            attempt: 1,
            time: Duration::from_secs(20),
            notes: Arc::default(),
            received: Arc::default(),
        }
    }
}

impl Asked {
    async fn of(&self, model: &dyn Model) -> Result<Answer, ModelError> {
        let (notes, received) = (self.notes.clone(), self.received.clone());
        let request = Request {
            prompt: &self.prompt,
            path: self.path,
            attempt: self.attempt,
            deadline: Instant::now() + self.time,
            output_tokens: u64::MAX,
            limits: &self.limits,
            retried: &|| {},
            notify: &move |line| notes.lock().unwrap().push(line.to_owned()),
            show: &|_| {},
            received: &move |bytes| received.lock().unwrap().push(bytes),
        };
        model.complete(&request).await
    }

    fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap().clone()
    }
}

/// The same model, which does not wait for long.
fn impatient(mut model: Http) -> Http {
    model.backoff = Backoff {
        first: Duration::from_millis(5),
        most: Duration::from_millis(10),
    };
    model
}

/// The error's name, as it stands in the code.
fn name(error: &ModelError) -> String {
    let text = format!("{error:?}");
    let end = text.find(|c: char| !c.is_ascii_alphanumeric());
    text[..end.unwrap_or(text.len())].to_owned()
}

/// A model as `--model` opens it, in `folder`, without any variable.
fn model(spec: &str, folder: &Path) -> Arc<dyn Model> {
    open(
        &parse_spec(spec).unwrap(),
        folder,
        &Environment::default(),
        false,
    )
    .unwrap()
}
