//! A person's editor on a file in a folder that nobody else can read.
#![expect(
    clippy::disallowed_methods,
    reason = "starts the user's editor, lends it the terminal, and reads the file that it wrote"
)]

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::error::text::one_line;
use crate::model::ModelError;
use crate::plan::words;
use crate::process::ending;

/// The program that edits.
pub(super) struct Editor {
    words: Vec<String>,
    name: String,
}

impl Editor {
    /// The editor that a variable names, with its arguments. No shell is involved.
    pub(super) fn named(variable: &str, text: &str) -> Result<Self, ModelError> {
        let setting = |reason: String| ModelError::Setting {
            message: format!("{variable} cannot be used: {reason}"),
            place: None,
            hint: None,
        };
        let words = words::split(text).map_err(|error| setting(error.to_string()))?;
        let name = words.first().map(|word| one_line(word));
        Ok(Self {
            name: name
                .filter(|name| !name.is_empty())
                .ok_or_else(|| setting("no program is named".to_owned()))?,
            words,
        })
    }

    /// The first word.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Opens the editor on a file with this text, waits for its end, and gives what the file holds then; `None` when
    /// that is more than `most` bytes. The file is gone afterwards.
    pub(super) async fn edit(
        &self,
        before: &str,
        most: u64,
    ) -> Result<Option<Vec<u8>>, ModelError> {
        let failed = |action: &'static str| {
            move |error: io::Error| ModelError::Handover {
                action,
                cause: error.to_string(),
            }
        };
        // What a model is asked may be private: nobody else enters the folder.
        let private = std::fs::Permissions::from_mode(0o700);
        let write = move || {
            let mut builder = tempfile::Builder::new();
            let folder = builder.prefix("lacuna-").permissions(private).tempdir()?;
            let file = folder.path().join("answer.rs");
            std::fs::write(&file, before)?;
            io::Result::Ok((folder, file))
        };
        let (_folder, file) = write().map_err(failed("write the prompt for the editor"))?;
        let status = {
            let terminal = Terminal::lend();
            let [stdin, stdout, stderr] =
                terminal.streams().map_err(failed("lend the terminal"))?;
            let mut child = tokio::process::Command::new(&self.words[0])
                .args(&self.words[1..])
                .arg(&file)
                .stdin(stdin)
                .stdout(stdout)
                .stderr(stderr)
                .kill_on_drop(true)
                .spawn()
                .map_err(|error| ModelError::EditorNotStarted {
                    editor: self.name.clone(),
                    cause: error.to_string(),
                })?;
            let mut family = Family::of(&child);
            let status = child.wait().await;
            // It is gone, and its number may be another's soon.
            family.0 = None;
            status.map_err(failed("wait for the editor"))?
        };
        if !status.success() {
            return Err(ModelError::EditorFailed {
                editor: self.name.clone(),
                ending: ending(status),
            });
        }
        read(&file, most).map_err(failed("read what the editor wrote"))
    }
}

/// The file's bytes, unless there are more than `most`. Editors replace files, and anything can stand there now: a link
/// could lead to a file that nobody meant to send, a pipe would never end.
fn read(file: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let opened = File::options()
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(file)
        .map_err(|error| match error.raw_os_error() {
            Some(code) if code == Errno::LOOP.raw_os_error() => {
                io::Error::other("it is a symbolic link now, which is not followed")
            }
            _ => error,
        })?;
    if !opened.metadata()?.is_file() {
        return Err(io::Error::other("it is no file any more"));
    }
    let mut bytes = Vec::new();
    opened
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// The terminal, which has its settings again when this is dropped: an editor that is killed leaves it raw.
///
/// The editor stays in this process's group, as it does under `git`: a terminal talks to one group only, and whoever
/// stops the editor (Ctrl-Z) stops both.
struct Terminal(Option<(File, Termios)>);

impl Terminal {
    fn lend() -> Self {
        let opened = File::options().read(true).write(true).open("/dev/tty").ok();
        Self(opened.and_then(|terminal| {
            let settings = tcgetattr(&terminal).ok()?;
            Some((terminal, settings))
        }))
    }

    /// Standard output may be a file that waits for the value, so the editor gets the terminal itself three times.
    /// Without one it must do with standard input, and its words go where errors go.
    fn streams(&self) -> io::Result<[Stdio; 3]> {
        Ok(match &self.0 {
            Some((terminal, _)) => [
                terminal.try_clone()?.into(),
                terminal.try_clone()?.into(),
                terminal.try_clone()?.into(),
            ],
            None => [
                Stdio::inherit(),
                io::stderr().as_fd().try_clone_to_owned()?.into(),
                Stdio::inherit(),
            ],
        })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some((terminal, settings)) = &self.0 {
            // At once: a terminal whose output was stopped (Ctrl-S) must not hold the program up.
            let _ = tcsetattr(terminal, OptionalActions::Now, settings);
        }
    }
}

/// The editor and everything below it, killed when this is dropped: time is up, or the session was interrupted. A group
/// of its own, as other programs get, would cut it off from the terminal.
struct Family(Option<Pid>);

impl Family {
    fn of(child: &tokio::process::Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        Self(number.and_then(Pid::from_raw))
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let Some(first) = self.0 else { return };
        let mut members = vec![first];
        let mut next = 0;
        while let Some(member) = members.get(next).copied() {
            members.extend(children(member));
            next += 1;
        }
        for member in members {
            let _ = kill_process(member, Signal::KILL);
        }
    }
}

/// The children of every thread of a process, where the system lists them.
fn children(of: Pid) -> Vec<Pid> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", of.as_raw_nonzero()));
    threads
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|list| {
            let numbers = list.split_whitespace();
            let pids = numbers.filter_map(|number| Pid::from_raw(number.parse().ok()?));
            pids.collect::<Vec<_>>()
        })
        .collect()
}
