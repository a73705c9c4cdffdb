//! A program of the user's: the prompt on stdin, the answer on stdout. So `command:llm` works, and so does `cat`.
#![expect(
    clippy::disallowed_methods,
    reason = "runs the program that the plan or the user named as a model"
)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};

use crate::error::Place;

use super::clock::Clock;
use super::keys::Secrets;
use super::text::{one_line, tail};
use super::{Answer, Completion, Environment, Model, ModelError, Request};

/// Bytes of stderr that are kept, the last ones.
const STDERR_KEPT: usize = 16 * 1024;

/// How long the pipes may stay open after the program and its group have ended. Only a process that left the group can
/// hold them, and what it writes is no answer of the program.
const DRAIN: Duration = Duration::from_millis(500);

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
                stderr: tail(&self.secrets.mask(&String::from_utf8_lossy(&output.stderr))),
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

    /// Runs the program to its end. When this future is dropped (time is up, the session was interrupted) the guard
    /// kills the whole process group.
    async fn output(&self, request: &Request<'_>) -> Result<Output, ModelError> {
        let mut child = tokio::process::Command::new(&self.words[0])
            .args(&self.words[1..])
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let group = Group::of(&child);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(self.not_started(&io::Error::other("it has no pipes")));
        };
        let feed = async move {
            // A program that does not read its stdin is no fault, so neither is the broken pipe.
            let _ = stdin.write_all(request.prompt.text.as_bytes()).await;
        };
        let most = usize::try_from(request.limits.answer).unwrap_or(usize::MAX);
        let mut answer = Vec::new();
        let mut complaint = Vec::new();
        let status = {
            let read = async {
                let (within, ()) = tokio::join!(
                    read_at_most(stdout, &mut answer, most, request.received),
                    read_tail(stderr, &mut complaint)
                );
                within
            };
            tokio::pin!(feed, read);
            let (mut fed, mut read_to_end) = (false, false);
            let status = loop {
                tokio::select! {
                    () = &mut feed, if !fed => fed = true,
                    within = &mut read, if !read_to_end => {
                        if !within {
                            return Err(self.too_large(request));
                        }
                        read_to_end = true;
                    }
                    status = child.wait() => break status,
                }
            };
            // Children that the program left behind hold the pipes open and are nobody's any more.
            drop(group);
            if !read_to_end && tokio::time::timeout(DRAIN, &mut read).await == Ok(false) {
                return Err(self.too_large(request));
            }
            status
        };
        Ok(Output {
            status: status.map_err(|error| self.not_started(&error))?,
            stdout: answer,
            stderr: complaint,
        })
    }

    fn program(&self) -> String {
        one_line(&self.words[0])
    }

    fn too_large(&self, request: &Request<'_>) -> ModelError {
        ModelError::TooLarge {
            model: self.name.clone(),
            limit: request.limits.answer,
        }
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

struct Output {
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// The program's process group; dropping it kills every process that is still in it. The group's number cannot be given
/// away while a member lives; when none does, the signal finds nothing.
struct Group(Option<Pid>);

impl Group {
    fn of(child: &tokio::process::Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        Self(number.and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Reads to the end; `false` as soon as there is more than `most` bytes.
async fn read_at_most(
    mut pipe: impl AsyncRead + Unpin,
    kept: &mut Vec<u8>,
    most: usize,
    received: &(dyn Fn(u64) + Send + Sync),
) -> bool {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        if kept.len() + count > most {
            return false;
        }
        kept.extend_from_slice(&buffer[..count]);
        received(kept.len() as u64);
    }
    true
}

/// Reads to the end and keeps the last [`STDERR_KEPT`] bytes, so a program that complains without end fills no memory.
async fn read_tail(mut pipe: impl AsyncRead + Unpin, kept: &mut Vec<u8>) {
    let mut buffer = vec![0; 4 * 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(STDERR_KEPT);
        kept.drain(..surplus);
    }
}

/// How a program ended that did not succeed.
pub(super) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "no exit code".to_owned(),
    }
}
