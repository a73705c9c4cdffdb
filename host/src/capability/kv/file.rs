//! The file of a store: a regular file under the name that was granted, and never what a link there leads to.
#![expect(
    clippy::disallowed_methods,
    reason = "opens the one file that a grant names"
)]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// What tells one file from another whatever it is called: device and inode.
pub(super) type Identity = (u64, u64);

/// What stands under a path; `None` if nothing does. Nothing is opened.
///
/// # Errors
/// It is no regular file, or the system cannot tell.
pub(super) fn identity(path: &Path) -> io::Result<Option<Identity>> {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(Some((found.dev(), found.ino()))),
        Ok(_) => Err(no_file()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens the file, or makes it. What stands there is looked at before it is opened (opening a device can do something)
/// and again after it (it may have been replaced); in between, the flags keep a link from being followed and a FIFO from
/// blocking.
pub(super) fn open(path: &Path) -> io::Result<(File, Identity)> {
    let is_there = identity(path)?.is_some();
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(!is_there)
        .mode(0o600)
        .custom_flags(flags.bits() as i32)
        .open(path)
        .map_err(|error| match error.raw_os_error() {
            // A link that came in between.
            Some(code) if code == rustix::io::Errno::LOOP.raw_os_error() => no_file(),
            _ => error,
        })?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(no_file());
    }
    if !is_there && let Some(folder) = path.parent() {
        // A file whose name is lost with the power is lost itself.
        File::open(folder)?.sync_all()?;
    }
    Ok((file, (found.dev(), found.ino())))
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}
