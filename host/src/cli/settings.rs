//! Flags, environment and files, resolved into what the library takes.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the files that the command line names"
)]

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

use super::approval::Flag;
use super::arguments::{EngineArguments, RunArguments};
use super::report::{Surroundings, Terminal};
use crate::environment;
use crate::plan::arguments::Input;
use crate::session::{Builder, Error, Lacuna};

/// Largest file of code that is read: ten times the default limit of an answer, so that the limit's own message is seen.
const MAX_CODE: u64 = 10 * 1024 * 1024;

/// The engine as the flags want it.
pub(super) fn engine(arguments: &EngineArguments, terminal: &Terminal) -> Result<Lacuna, Error> {
    builder(arguments, terminal).build()
}

/// The engine of a run, whose calls may have to be approved.
pub(super) fn running(arguments: &RunArguments, terminal: &Terminal) -> Result<Lacuna, Error> {
    let builder = builder(&arguments.engine, terminal);
    match arguments.approve {
        Some(approval) => builder.approve(Flag::new(approval, terminal)).build(),
        None => builder.build(),
    }
}

fn builder(arguments: &EngineArguments, terminal: &Terminal) -> Builder {
    let mut builder = Lacuna::builder()
        .watch(Arc::new(terminal.clone()))
        .allow_unconfined_compile(arguments.allow_unconfined_compile);
    if let Some(folder) = &arguments.cache_dir {
        builder = builder.cache(folder);
    }
    builder
}

/// What the environment says of the terminal.
pub(super) fn surroundings() -> Surroundings {
    let variable = |name: &str| std::env::var_os(name);
    let text = |name: &str| variable(name).map(|value| value.to_string_lossy().into_owned());
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    Surroundings {
        stdout: std::io::stdout().is_terminal(),
        stderr: std::io::stderr().is_terminal(),
        term: text(environment::TERM),
        no_color: is_set(environment::NO_COLOR),
        clicolor: text(environment::CLICOLOR),
        ci: is_set(environment::CI),
    }
}

/// Whether this process was started to live on when its terminal is closed. Only the system's list can tell: a handler
/// that is set replaces what was there.
pub(super) fn ignores_hangup() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, 1))
}

/// Whether a signal is ignored, as the `status` of a process in /proc says.
fn ignores(status: &str, signal: u32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}

/// A file, or stdin for `-`, to be read as it comes in.
pub(super) fn stream(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    if path == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lock()));
    }
    match std::fs::File::open(path) {
        Ok(file) => Ok(Box::new(BufReader::new(file))),
        Err(source) => Err(Error::File {
            doing: "read",
            path: path.to_owned(),
            source,
        }),
    }
}

/// Largest argument that is read from a file, in bytes.
const MAX_ARGUMENT: u64 = 64 * 1024 * 1024;

/// What an argument is read from.
pub(super) fn input(input: Input<'_>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match input {
        Input::Stdin => std::io::stdin()
            .lock()
            .take(MAX_ARGUMENT)
            .read_to_end(&mut bytes)?,
        Input::File(path) => std::fs::File::open(path)?
            .take(MAX_ARGUMENT)
            .read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// The code in a file, or on stdin for `-`.
pub(super) fn code(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::File {
        doing: "read",
        path: path.to_owned(),
        source,
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .lock()
            .take(MAX_CODE)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    } else {
        let file = std::fs::File::open(path).map_err(failed)?;
        file.take(MAX_CODE)
            .read_to_end(&mut bytes)
            .map_err(failed)?;
    }
    String::from_utf8(bytes).map_err(|_| {
        failed(std::io::Error::new(
            std::io::ErrorKind::InvalidData,
            "it is not UTF-8 text",
        ))
    })
}

/// Without the name of the temporary file, which the library adds and nobody has asked for.
fn without_path(error: std::io::Error) -> std::io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((reason, _)) => std::io::Error::new(error.kind(), reason),
        None => error,
    }
}

/// Writes a file beside its target and renames it, so that the target is whole or as it was.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::File {
        doing: "write",
        path: path.to_owned(),
        source,
    };
    // A link is followed, as whoever made it expects; a device or a pipe is written to, never replaced.
    let target = std::fs::canonicalize(path);
    if let Ok(target) = &target
        && !target.is_file()
    {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(target)
            .and_then(|mut file| std::io::Write::write_all(&mut file, bytes))
            .map_err(failed);
    }
    let path = target.as_deref().unwrap_or(path);
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(|error| failed(without_path(error)))?;
    std::io::Write::write_all(&mut file, bytes).map_err(failed)?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(file.path(), mode).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, symlink};

    use super::*;

    #[test]
    fn a_link_is_followed_and_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn ignored_signals_are_read_off_the_mask() {
        let status = |mask: &str| format!("Name:\tx\nSigBlk:\t1\nSigIgn:\t{mask}\nSigCgt:\t1\n");
        assert!(ignores(&status("0000000000000001"), 1));
        assert!(ignores(&status("0000000000001005"), 1));
        assert!(!ignores(&status("0000000000001004"), 1));
        assert!(!ignores(&status(""), 1));
        assert!(!ignores("", 1));
    }

    #[test]
    fn a_pipe_is_written_to_and_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU);
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut bytes = Vec::new();
                std::fs::File::open(pipe)
                    .unwrap()
                    .read_to_end(&mut bytes)
                    .unwrap();
                bytes
            }
        });
        write(&pipe, b"component").unwrap();
        assert_eq!(reader.join().unwrap(), b"component");
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
    }
}
