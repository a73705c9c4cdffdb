//! Work folders: one per judgement, removed with it; those of killed runs are removed by the next run.

#![expect(clippy::disallowed_methods, reason = "makes and removes work folders")]

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::toolchain::store;

/// How often a work folder is made that another process takes for a leftover: even once is rare.
const TRIES: u32 = 16;

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
        store::remove_leftovers(parent);
        for _ in 0..TRIES {
            let run = tempfile::Builder::new()
                .prefix("run-")
                .permissions(std::fs::Permissions::from_mode(0o700))
                .tempdir_in(parent)?;
            let path = run.path().join(store::RUN_LOCK);
            // Another process may have found the lock free before this one took it, and removes the folder.
            let lock = match File::create(&path) {
                Ok(lock) => lock,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if lock.try_lock().is_ok() && path.exists() {
                return Ok(Self { run, _lock: lock });
            }
        }
        Err(std::io::Error::other("others remove each work folder"))
    }

    /// A fresh folder that only the user can enter, removed when it is dropped.
    pub(super) fn folder(&self) -> std::io::Result<TempDir> {
        tempfile::Builder::new()
            .prefix("work-")
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir_in(self.run.path())
    }
}
