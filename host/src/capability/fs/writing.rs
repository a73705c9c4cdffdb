//! Changing the folder. Writes go to the disk at once.

use std::io::{self, Write};

use cap_std::fs::{Dir, OpenOptions};
use rustix::fs::{RenameFlags, renameat_with};
use rustix::io::Errno;

use super::Refusal;
use super::folder::{Folder, relative};
use super::types::FileError;
use crate::capability::call::Bounds;

impl Folder {
    /// Makes or replaces a file.
    pub(crate) fn write(&self, path: &str, content: &[u8]) -> Result<(), Refusal> {
        self.fits(path, content.len() as u64)?;
        // Not truncated by opening: what is there stays until we know that it is a file.
        let (mut file, _) = self.open_file(path, OpenOptions::new().write(true).create(true))?;
        file.set_len(0)
            .and_then(|()| file.write_all(content))
            .map_err(|error| FileError::of(&error, path).into())
    }

    /// Adds to the end of a file, making it if needed.
    pub(crate) fn append(&self, path: &str, content: &[u8]) -> Result<(), Refusal> {
        let (mut file, size) =
            self.open_file(path, OpenOptions::new().append(true).create(true))?;
        self.fits(path, size.saturating_add(content.len() as u64))?;
        file.write_all(content)
            .map_err(|error| FileError::of(&error, path).into())
    }

    /// Makes a folder and the folders above it. Each of them is a path that may change.
    pub(crate) fn create_folder(&self, path: &str, bounds: &Bounds) -> Result<(), Refusal> {
        let relative = relative(path)?;
        for (slash, _) in path.match_indices('/') {
            bounds.change(&path[..slash])?;
        }
        bounds.change(path)?;
        let refuse = |error: io::Error| Refusal::from(FileError::of(&error, path));
        self.root.create_dir_all(relative).map_err(refuse)?;
        if self.root.metadata(relative).map_err(refuse)?.is_dir() {
            Ok(())
        } else {
            Err(FileError::Exists(path.to_owned()).into())
        }
    }

    /// Removes a file, an empty folder, or a link itself.
    pub(crate) fn remove(&self, path: &str) -> Result<(), Refusal> {
        let relative = relative(path)?;
        let refuse = |error: io::Error| Refusal::from(FileError::of(&error, path));
        let found = self.root.symlink_metadata(relative).map_err(refuse)?;
        if found.is_dir() {
            self.root.remove_dir(relative).map_err(refuse)
        } else {
            self.root.remove_file(relative).map_err(refuse)
        }
    }

    /// Moves a file or folder to a path where nothing is. What another program puts there meanwhile is not replaced.
    pub(crate) fn rename(&self, old: &str, new: &str) -> Result<(), Refusal> {
        let refuse = |path: &str| {
            let path = path.to_owned();
            move |error: io::Error| Refusal::from(FileError::of(&error, &path))
        };
        let (from, to) = (relative(old)?, relative(new)?);
        self.root.symlink_metadata(from).map_err(refuse(old))?;
        match self.root.symlink_metadata(to) {
            Ok(_) => return Err(FileError::Exists(new.to_owned()).into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refuse(new)(error)),
        }
        let (old_folder, old_name) = self.parent(old)?;
        let (new_folder, new_name) = self.parent(new)?;
        let flags = RenameFlags::NOREPLACE;
        match renameat_with(&old_folder, old_name, &new_folder, new_name, flags) {
            Ok(()) => Ok(()),
            // Some file systems cannot promise it; there the look above has to do.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                self.root.rename(from, &self.root, to).map_err(refuse(new))
            }
            // That the new place is fit to take it was seen above.
            Err(Errno::NOTDIR) if old.ends_with('/') => Err(refuse(old)(Errno::NOTDIR.into())),
            Err(error) => Err(refuse(new)(error.into())),
        }
    }

    /// The opened folder that a path's last name stands in, and that name with the `/` that may follow it. A path whose last
    /// part is `.` or `..` has no such name.
    fn parent<'path>(&self, path: &'path str) -> Result<(Dir, &'path str), Refusal> {
        let end = path.trim_end_matches('/').len();
        let start = path[..end].rfind('/').map_or(0, |slash| slash + 1);
        if matches!(&path[start..end], "" | "." | "..") {
            return Err(FileError::Invalid(path.to_owned()).into());
        }
        let above = match &path[..start] {
            "" => self.root.try_clone(),
            above => self.root.open_dir(above),
        };
        match above {
            Ok(above) => Ok((above, &path[start..])),
            Err(error) => Err(FileError::of(&error, path).into()),
        }
    }

    fn fits(&self, path: &str, size: u64) -> Result<(), FileError> {
        if size > self.max_file {
            return Err(FileError::TooLarge(path.to_owned()));
        }
        Ok(())
    }
}
