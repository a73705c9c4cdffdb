//! Tests of the providers against the real thing: a server on 127.0.0.1, programs, files.

mod command;
mod openai;
mod recordings;
mod server;
mod settings;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::budget::ModelLimits;
use crate::prompt::Prompt;

use super::{Answer, Environment, Model, ModelError, Request, open, parse_spec};

/// One request with everything around it at hand.
struct Asked {
    prompt: Prompt,
    limits: ModelLimits,
    path: &'static str,
    attempt: u32,
    time: Duration,
    notes: Arc<Mutex<Vec<String>>>,
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
        }
    }
}

impl Asked {
    async fn of(&self, model: &dyn Model) -> Result<Answer, ModelError> {
        let notes = self.notes.clone();
        let request = Request {
            prompt: &self.prompt,
            path: self.path,
            attempt: self.attempt,
            deadline: Instant::now() + self.time,
            output_tokens: u64::MAX,
            limits: &self.limits,
            notify: &move |line| notes.lock().unwrap().push(line.to_owned()),
        };
        model.complete(&request).await
    }

    fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap().clone()
    }
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
