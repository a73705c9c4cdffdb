//! A program of the user's: the prompt on stdin, the answer on stdout. So `command:llm` works, and so does `cat`.
#![expect(
    clippy::disallowed_methods,
    reason = "looks whether a program was not started for want of its folder"
)]

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::Place;
use crate::error::text::{one_line, tail};
use crate::process::{self, Output, Program, RunError, Variables, ending};

use super::clock::Clock;
use super::keys::Secrets;
use super::{Answer, Completion, Environment, Model, ModelError, Request};

/// A program with its arguments. No shell is involved, and the environment is passed on: it is the user's own program.
pub(super) struct Command {
    name: String,
    words: Vec<String>,
    folder: PathBuf,
    timeout: Duration,
    secrets: Secrets,
}

impl Command {
    /// Runs `words` in `folder` at each request.
    pub(super) fn open(
        words: Vec<String>,
        folder: &Path,
        timeout: Duration,
        environment: &Environment,
        place: &Place,
    ) -> Result<Self, ModelError> {
        let program = words.first().filter(|program| !program.is_empty());
        let usable = words.iter().all(|word| !word.contains('\0'));
        let (Some(program), true) = (program, usable) else {
            return Err(ModelError::Setting {
                message: "provider `command` needs `command`, the program and its arguments"
                    .to_owned(),
                place: Some(place.clone()),
                hint: None,
            });
        };
        Ok(Self {
            name: format!("command:{program}"),
            folder: if folder.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                folder.to_owned()
            },
            words,
            timeout,
            secrets: environment.secrets(),
        })
    }

    async fn run(&self, request: &Request<'_>) -> Result<Answer, ModelError> {
        let clock = Clock::start(request, self.timeout);
        let output = clock.within(self.output(request)).await??;
        if !output.status.success() {
            return Err(ModelError::CommandFailed {
                program: self.program(),
                ending: ending(output.status),
                stderr: tail(&self.secrets.mask(&output.stderr)),
            });
        }
        let text = String::from_utf8(output.stdout).map_err(|_| ModelError::Malformed {
            from: self.name.clone(),
            reason: "the output is not UTF-8".to_owned(),
        })?;
        if text.trim().is_empty() {
            return Err(ModelError::Empty {
                model: self.name.clone(),
            });
        }
        Ok(Answer {
            text,
            tokens_in: None,
            tokens_out: None,
            stop_reason: None,
            elapsed: clock.elapsed(),
        })
    }

    async fn output(&self, request: &Request<'_>) -> Result<Output, ModelError> {
        let program = Program {
            file: self.words[0].as_ref(),
            arguments: &self.words[1..],
            folder: &self.folder,
            variables: Variables::Inherited,
        };
        let most = usize::try_from(request.limits.answer).unwrap_or(usize::MAX);
        let input = request.prompt.text.as_bytes();
        process::run(program, input, most, request.received)
            .await
            .map_err(|error| match error {
                RunError::NotStarted(error) => self.not_started(&error),
                RunError::TooLarge => ModelError::TooLarge {
                    model: self.name.clone(),
                    limit: request.limits.answer,
                },
            })
    }

    fn program(&self) -> String {
        one_line(&self.words[0])
    }

    fn not_started(&self, error: &io::Error) -> ModelError {
        let program = self.program();
        // The system says "not found" for a missing folder and a missing interpreter too.
        if error.kind() == io::ErrorKind::NotFound && self.folder.is_dir() {
            ModelError::CommandNotFound { program }
        } else {
            ModelError::CommandNotStarted {
                program,
                cause: error.to_string(),
            }
        }
    }
}

impl Model for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(self.run(request))
    }
}
