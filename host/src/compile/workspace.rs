//! Work folders: one per judgement, removed with it; those of killed runs are removed by the next run.

#![expect(clippy::disallowed_methods, reason = "makes and removes work folders")]

use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

/// A run folder without a lock younger than this may be one that is just being made.
const SETTLED: Duration = Duration::from_secs(60);

/// The folder of one run of the host. A lock in it tells the next run whether its owner is still alive: a process that
/// was killed cannot clean up, but the kernel frees its lock.
#[derive(Debug)]
pub(super) struct Workspace {
    run: TempDir,
    /// Held as long as the run lives.
    _lock: File,
}

impl Workspace {
    /// Makes this run's folder in `parent` and removes those of dead runs.
    pub(super) fn open(parent: &Path) -> std::io::Result<Self> {
        private_folder(parent)?;
        remove_leftovers(parent);
        let run = tempfile::Builder::new()
            .prefix("run-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir_in(parent)?;
        let lock = File::create(run.path().join("lock"))?;
        lock.try_lock()?;
        Ok(Self { run, _lock: lock })
    }

    /// A fresh folder that only the user can enter, removed when it is dropped.
    pub(super) fn folder(&self) -> std::io::Result<TempDir> {
        tempfile::Builder::new()
            .prefix("work-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir_in(self.run.path())
    }
}

/// Makes `path` with mode 0700, and refuses a folder that others can write: they could replace what is compiled.
pub(super) fn private_folder(path: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)?;
    let metadata = std::fs::metadata(path)?;
    let others = metadata.permissions().mode() & 0o022;
    if others != 0 {
        return Err(std::io::Error::new(
            std::io::ErrorKind::PermissionDenied,
            format!("{} can be written by other users", path.display()),
        ));
    }
    Ok(())
}

/// Removes the folders of runs whose lock is free. What can't be removed now is left for the next run.
fn remove_leftovers(parent: &Path) {
    let Ok(entries) = std::fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        let path: PathBuf = entry.path();
        if !entry.file_name().to_string_lossy().starts_with("run-") {
            continue;
        }
        let abandoned = match File::open(path.join("lock")) {
            Ok(lock) => lock.try_lock().is_ok() && settled(&path),
            Err(_) => settled(&path),
        };
        if abandoned {
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// Whether a folder is older than the moment between making it and locking it.
fn settled(path: &Path) -> bool {
    std::fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok())
        .is_some_and(|age| age > SETTLED)
}
