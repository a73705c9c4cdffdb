//! Changing the folder. Writes go to the disk at once.

use std::io::{self, Write};

use cap_std::fs::OpenOptions;

use super::Refusal;
use super::folder::{Folder, relative};
use super::types::FileError;

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

    /// Makes a folder and the folders above it.
    pub(crate) fn create_folder(&self, path: &str) -> Result<(), Refusal> {
        let relative = relative(path)?;
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

    /// Moves a file or folder to a path where nothing is. Another program may put something there between the look and
    /// the move; it would be replaced.
    pub(crate) fn rename(&self, old: &str, new: &str) -> Result<(), Refusal> {
        let from = relative(old)?;
        let to = relative(new)?;
        self.root
            .symlink_metadata(from)
            .map_err(|error| FileError::of(&error, old))?;
        match self.root.symlink_metadata(to) {
            Ok(_) => return Err(FileError::Exists(new.to_owned()).into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::of(&error, new).into()),
        }
        self.root
            .rename(from, &self.root, to)
            .map_err(|error| FileError::of(&error, new).into())
    }

    fn fits(&self, path: &str, size: u64) -> Result<(), FileError> {
        if size > self.max_file {
            return Err(FileError::TooLarge(path.to_owned()));
        }
        Ok(())
    }
}
