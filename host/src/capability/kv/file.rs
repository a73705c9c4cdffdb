//! The file of a store: a regular file under the name that was granted, and never what a link there leads to.
#![expect(
    clippy::disallowed_methods,
    reason = "opens the one file that a grant names"
)]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use tempfile::NamedTempFile;

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

/// Opens the file; `None` if there is none. What stands there is looked at before it is opened (opening a device can do
/// something) and again after it (it may have been replaced); in between, the flags keep a link from being followed and a
/// FIFO from blocking.
pub(super) fn open(path: &Path) -> io::Result<Option<(File, Identity)>> {
    if identity(path)?.is_none() {
        return Ok(None);
    }
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits() as i32)
        .open(path);
    let file = match opened {
        Ok(file) => file,
        // It went in between.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A link came in between.
        Err(error) if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
            return Err(no_file());
        }
        Err(error) => return Err(error),
    };
    let found = file.metadata()?;
    match found.is_file() {
        true => Ok(Some((file, (found.dev(), found.ino())))),
        false => Err(no_file()),
    }
}

/// A file that has no name yet but one of its own: only this user can read it, and it gets its name when there is a store in
/// it. A store that is half made, because the process was killed, would be taken for a damaged one.
pub(super) struct Unnamed(NamedTempFile);

impl Unnamed {
    /// One in the folder of `path`.
    pub(super) fn beside(path: &Path) -> io::Result<(Self, File, Identity)> {
        let folder = path.parent().ok_or(io::ErrorKind::NotFound)?;
        let made = NamedTempFile::new_in(folder).map_err(|error| match error.raw_os_error() {
            // Without the path, which the library adds.
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::from(error.kind()),
        })?;
        let file = made.as_file().try_clone()?;
        let found = file.metadata()?;
        Ok((Self(made), file, (found.dev(), found.ino())))
    }

    /// Gives it its name; `false` if something has that name by now.
    pub(super) fn name(self, path: &Path) -> io::Result<bool> {
        match self.0.persist_noclobber(path) {
            Ok(_) => {}
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            Err(failed) => return Err(failed.error),
        }
        if let Some(folder) = path.parent() {
            // A file whose name is lost with the power is lost itself.
            File::open(folder)?.sync_all()?;
        }
        Ok(true)
    }
}

fn no_file() -> io::Error {
    io::Error::other("it is no regular file")
}
