//! A program that stays for the session.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::MORE;
use crate::process::{self, Program, Running, Tail, ending};

/// How long a program that closed its stdout may take to end, so that its status can be told.
const ENDING: Duration = Duration::from_millis(500);

/// Bytes that are read at once.
const BUFFER: usize = 16 * 1024;

/// A program between two calls. Dropping it ends the program.
pub(super) struct Kept {
    running: Running,
    stdin: ChildStdin,
    stdout: ChildStdout,
    tail: Tail,
    drain: Drain,
    /// Whether it has answered.
    asked: bool,
}

/// Why there is no answer.
pub(super) enum Wrong {
    /// It has more bytes than it may.
    TooLarge {
        /// Those that were seen.
        used: u64,
    },
    /// The program ended or broke the rule of one line for one line, in words.
    Ended(String),
}

impl Kept {
    /// Starts it.
    pub(super) fn start(program: Program<'_>) -> io::Result<Self> {
        let (running, pipes) = process::start(program)?;
        let tail = Tail::default();
        let drain = tokio::spawn(tail.clone().read(pipes.stderr));
        Ok(Self {
            running,
            stdin: pipes.stdin,
            stdout: pipes.stdout,
            tail,
            drain: Drain(drain),
            asked: false,
        })
    }

    /// The line that answers `line`. After an error, or when this is dropped half-way, the program is of no more use.
    pub(super) async fn ask(&mut self, line: &[u8], most: usize) -> Result<Vec<u8>, Wrong> {
        let mut answer = Vec::new();
        if self.asked {
            // What was said since the last answer would be taken for the answer to this call.
            let unasked = timeout(Duration::ZERO, self.stdout.read_buf(&mut answer)).await;
            if matches!(unasked, Ok(Ok(1..))) {
                return Err(Wrong::Ended(MORE.to_owned()));
            }
            if unasked.is_ok() || self.running.ended().is_some() {
                return Err(self
                    .gone("after its last answer, and `keep-alive` wants it to stay")
                    .await);
            }
        }
        self.asked = true;
        let read = {
            let Self {
                running,
                stdin,
                stdout,
                ..
            } = self;
            let write = async {
                // A program that has closed its stdin may still answer.
                let _ = stdin.write_all(line).await;
            };
            let read = read_line(stdout, &mut answer, most);
            tokio::pin!(write, read);
            let (mut written, mut over) = (false, false);
            let read = loop {
                tokio::select! {
                    () = &mut write, if !written => written = true,
                    read = &mut read => break read,
                    // Only a process that left the group can hold stdout open now.
                    _ = running.end(), if !over => over = true,
                    () = sleep(ENDING), if over => break Read::End,
                }
            };
            if !written && !over && matches!(read, Read::Line(_)) {
                // The rest of the question is still in the way.
                write.await;
            }
            read
        };
        match read {
            Read::Line(end) if answer.len() > end + 1 => Err(Wrong::Ended(MORE.to_owned())),
            Read::Line(end) => {
                answer.truncate(end);
                Ok(answer)
            }
            Read::TooLarge => Err(Wrong::TooLarge {
                used: answer.len() as u64,
            }),
            Read::End => Err(self.gone("before it answered").await),
        }
    }

    /// What the program said last on stderr.
    pub(super) fn complaint(&self) -> String {
        self.tail.text()
    }

    async fn gone(&mut self, when: &str) -> Wrong {
        Wrong::Ended(match timeout(ENDING, self.running.end()).await {
            Ok(Ok(status)) => {
                // Its stderr is closed now, and what it said is read soon.
                let _ = timeout(ENDING, &mut self.drain.0).await;
                format!("ended with {} {when}", ending(status))
            }
            _ => format!("closed its stdout {when}"),
        })
    }
}

/// How reading a line ended.
enum Read {
    /// With the line's end, at this byte.
    Line(usize),
    /// With more bytes than there may be.
    TooLarge,
    /// With the end of everything.
    End,
}

async fn read_line(stdout: &mut ChildStdout, line: &mut Vec<u8>, most: usize) -> Read {
    loop {
        line.reserve(BUFFER);
        let before = line.len();
        if !matches!(stdout.read_buf(line).await, Ok(1..)) {
            return Read::End;
        }
        let end = line[before..].iter().position(|&byte| byte == b'\n');
        let end = end.map(|end| before + end);
        if end.unwrap_or(line.len()) > most {
            return Read::TooLarge;
        }
        if let Some(end) = end {
            return Read::Line(end);
        }
    }
}

/// Reads stderr for as long as the program is kept: a full pipe would stop it.
struct Drain(JoinHandle<()>);

impl Drop for Drain {
    fn drop(&mut self) {
        self.0.abort();
    }
}
