//! A program that is started for one question and ends with its answer.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::pipe::{Tail, read_at_most};
use super::{Program, start};

/// How long the pipes may stay open after the program and its group have ended. Only a process that left the group can
/// hold them, and what it writes is no answer of the program.
const DRAIN: Duration = Duration::from_millis(500);

/// What a program left behind.
#[derive(Debug)]
pub(crate) struct Output {
    /// How it ended.
    pub(crate) status: ExitStatus,
    /// All of its standard output.
    pub(crate) stdout: Vec<u8>,
    /// The end of its standard error.
    pub(crate) stderr: String,
}

/// Why there is no output.
#[derive(Debug)]
pub(crate) enum RunError {
    /// It could not be started, or not be waited for.
    NotStarted(io::Error),
    /// It wrote more than it may.
    TooLarge,
}

/// Runs a program to its end: `input` on stdin, at most `most` bytes of stdout, each part of which is told to `received`.
/// When this future is dropped (time is up, the session was interrupted) the program ends with its whole group.
pub(crate) async fn run(
    program: Program<'_>,
    input: &[u8],
    most: usize,
    received: &(dyn Fn(u64) + Send + Sync),
) -> Result<Output, RunError> {
    let (mut running, pipes) = start(program).map_err(RunError::NotStarted)?;
    let mut stdin = pipes.stdin;
    let feed = async move {
        // A program that does not read its stdin is no fault, so neither is the broken pipe.
        let _ = stdin.write_all(input).await;
    };
    let mut stdout = Vec::new();
    let tail = Tail::default();
    let status = {
        let read = async {
            let (within, ()) = tokio::join!(
                read_at_most(pipes.stdout, &mut stdout, most, received),
                tail.clone().read(pipes.stderr)
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
                        return Err(RunError::TooLarge);
                    }
                    read_to_end = true;
                }
                status = running.end() => break status,
            }
        };
        if !read_to_end && tokio::time::timeout(DRAIN, &mut read).await == Ok(false) {
            return Err(RunError::TooLarge);
        }
        status
    };
    Ok(Output {
        status: status.map_err(RunError::NotStarted)?,
        stdout,
        stderr: tail.text(),
    })
}
