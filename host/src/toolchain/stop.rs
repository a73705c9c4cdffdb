//! Ends what a preparation has started when nobody waits for it any more.

use std::io;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// Tells a preparation that it is in vain: the compiler that is running is killed with all it has started, and no other
/// one is started.
#[derive(Debug, Default)]
pub struct Stop(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Idle,
    /// The leader of this group is alive, or dead and not yet reaped: its number is not used by anyone else.
    Running(Pid),
    Stopped,
}

impl Stop {
    /// Stops it. Safe to call at any time, from any thread.
    pub fn stop(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Running(group) = *state {
            let _ = kill_process_group(group, Signal::KILL);
        }
        *state = State::Stopped;
    }

    /// [`Command::output`], in a process group of its own that [`Stop::stop`] ends.
    pub(super) fn output(&self, command: &mut Command) -> io::Result<Output> {
        use std::os::unix::process::CommandExt;
        let mut child = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if matches!(*state, State::Stopped) {
                return Err(io::Error::other("it was interrupted"));
            }
            let child = command
                .process_group(0)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                *state = State::Running(pid);
            }
            child
        };
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Both at once: a program that fills one pipe while the other is read would wait for ever.
        let (stdout, stderr) = std::thread::scope(|scope| {
            let reader = scope.spawn(move || read(stdout));
            let stderr = read(stderr);
            (reader.join().unwrap_or_default(), stderr)
        });
        // Waits without reaping, so that the number is still the child's when the state changes.
        if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while let Err(rustix::io::Errno::INTR) = waitid(WaitId::Pid(pid), options) {}
        }
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let status = child.wait()?;
        if matches!(*state, State::Running(_)) {
            *state = State::Idle;
        }
        Ok(Output {
            status,
            stdout,
            stderr,
        })
    }
}

fn read(pipe: Option<impl io::Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What was read up to a failure is what there is to tell.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn output_is_as_usual() {
        let output = Stop::default()
            .output(Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]))
            .unwrap();
        assert_eq!(output.stdout, b"out\n");
        assert_eq!(output.stderr, b"err\n");
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn stopping_ends_the_program_with_its_children_and_starts_no_other() {
        let stop = Arc::new(Stop::default());
        let other = Arc::clone(&stop);
        let started = Instant::now();
        let runner = std::thread::spawn(move || {
            other.output(Command::new("sh").args(["-c", "sleep 60 & sleep 60"]))
        });
        std::thread::sleep(Duration::from_millis(200));
        stop.stop();
        let output = runner.join().unwrap().unwrap();
        assert!(!output.status.success());
        assert!(started.elapsed() < Duration::from_secs(20));
        assert!(stop.output(&mut Command::new("true")).is_err());
    }
}
