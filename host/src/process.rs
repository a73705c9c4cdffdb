//! Process: programs that a plan or a user names, a model's or a tool's. Starts them in a process group of their own, and
//! knows nothing of what they say.
//!
//! A program that is not wanted any more is asked to end ([`Signal::TERM`] to its group) and is killed after [`GRACE`];
//! nobody waits for that. What it has started goes with it, unless it has left the group: a program that the user chose
//! to trust can do that, as it can do everything else.
#![expect(
    clippy::disallowed_methods,
    reason = "starts the programs that models and tools are served by"
)]

mod pipe;
mod run;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::runtime::Handle;

pub(crate) use pipe::Tail;
pub(crate) use run::{Output, RunError, run};

/// How long a program may take to end when it is asked to.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// How long the system may take to end a killed program before nobody looks any more.
const DYING: Duration = Duration::from_secs(1);

/// A program and how it is started. No shell is involved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    /// A path, or a name that is looked up in PATH.
    pub(crate) file: &'a OsStr,
    /// Its arguments.
    pub(crate) arguments: &'a [String],
    /// Its working folder.
    pub(crate) folder: &'a Path,
    /// Its environment.
    pub(crate) variables: Variables<'a>,
}

/// What a program's environment consists of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Variables<'a> {
    /// All that this process has.
    Inherited,
    /// These and no others.
    Only(&'a [(&'static str, OsString)]),
}

/// The three pipes to a program.
#[derive(Debug)]
pub(crate) struct Pipes {
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
}

/// A program that runs. Dropping it ends the program and everything in its group without waiting for it.
#[derive(Debug)]
pub(crate) struct Running {
    /// `None` once it has ended and is reaped.
    family: Option<Family>,
    status: Option<ExitStatus>,
    runtime: Handle,
}

/// Starts a program.
pub(crate) fn start(program: Program<'_>) -> io::Result<(Running, Pipes)> {
    let runtime = Handle::try_current().map_err(io::Error::other)?;
    let mut command = tokio::process::Command::new(program.file);
    command
        .args(program.arguments)
        .current_dir(program.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    if let Variables::Only(variables) = program.variables {
        command.env_clear().envs(variables.iter().cloned());
    }
    let mut child = command.spawn()?;
    let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let group = Group::of(&child);
    let running = Running {
        family: Some(Family { group, child }),
        status: None,
        runtime,
    };
    let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
        return Err(io::Error::other("it has no pipes"));
    };
    let pipes = Pipes {
        stdin,
        stdout,
        stderr,
    };
    Ok((running, pipes))
}

impl Running {
    /// Waits for the end of the program. Whatever it has started and left behind is nobody's any more and is killed.
    pub(crate) async fn end(&mut self) -> io::Result<ExitStatus> {
        if let Some(family) = &mut self.family {
            self.status = Some(family.child.wait().await?);
            self.family = None;
        }
        self.status
            .ok_or_else(|| io::Error::other("it is not known how it ended"))
    }

    /// Its status if it has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        if let Some(family) = &mut self.family {
            self.status = family.child.try_wait().ok().flatten();
            if self.status.is_some() {
                self.family = None;
            }
        }
        self.status
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(family) = self.family.take() else {
            return;
        };
        family.group.signal(Signal::TERM);
        // On a thread for blocking work. A runtime that is gone already drops the closure, and the family kills itself.
        let ending = Ending::begin();
        drop(self.runtime.spawn_blocking(move || {
            family.leave();
            drop(ending);
        }));
    }
}

/// Programs of this process that were asked to end and may still live.
static ENDING: AtomicUsize = AtomicUsize::new(0);

/// One of them, until it is dropped.
struct Ending(());

impl Ending {
    fn begin() -> Self {
        ENDING.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        ENDING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Waits until no program is ending any more, but no longer than `most`. For the end of this process, which would leave
/// them to themselves.
pub(crate) fn settle(most: Duration) {
    let started = Instant::now();
    while ENDING.load(Ordering::SeqCst) > 0 && started.elapsed() < most {
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A program with all that is in its group; killed when this is dropped.
#[derive(Debug)]
struct Family {
    // First, so that it is dropped first: while the child is not reaped its number is nobody else's.
    group: Group,
    child: Child,
}

impl Family {
    /// Waits until the program has ended or its time is over, and kills what is left.
    fn leave(mut self) {
        wait(&mut self.child, GRACE);
        drop(self.group);
        wait(&mut self.child, DYING);
    }
}

/// Looks often at first: most programs end at once.
fn wait(child: &mut Child, most: Duration) {
    let started = Instant::now();
    let mut pause = Duration::from_micros(500);
    while matches!(child.try_wait(), Ok(None)) && started.elapsed() < most {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// A process group; dropping it kills every process that is still in it. The group's number cannot be given away while a
/// member lives; when none does, the signal finds nothing.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    fn of(child: &Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        Self(number.and_then(Pid::from_raw))
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// How a program ended that did not succeed.
pub(crate) fn ending(status: ExitStatus) -> String {
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "no exit code".to_owned(),
    }
}

#[cfg(test)]
mod tests;
