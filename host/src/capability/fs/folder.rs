//! One granted folder, and reading in it.
#![expect(clippy::disallowed_methods, reason = "opens the one granted folder")]

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path};
use std::time::UNIX_EPOCH;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt};

use super::Refusal;
use super::types::{FileError, Kind, Metadata};
use crate::capability::call::Bounds;
use crate::capability::outcome::LimitHit;
use crate::grant::FolderGrant;

/// A folder that stays open as long as the program lives.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The only way to anything below it.
    pub(super) root: Dir,
    /// `max-file`, bytes.
    pub(super) max_file: u64,
}

impl Folder {
    /// Opens it by the path that the grant holds.
    pub(crate) fn open(grant: &FolderGrant) -> io::Result<Self> {
        Ok(Self {
            root: Dir::open_ambient_dir(&grant.root, ambient_authority())?,
            max_file: grant.max_file,
        })
    }

    /// The whole file as text, as it is: no byte order mark is dropped, no line end changed.
    pub(crate) fn read_text(&self, path: &str, bounds: &Bounds) -> Result<String, Refusal> {
        let (file, size) = self.open_file(path, OpenOptions::new().read(true))?;
        let bytes = self.read_some(file, path, size, bounds)?;
        String::from_utf8(bytes).map_err(|_| FileError::NotText(path.to_owned()).into())
    }

    /// A part of a file. `length` comes from the guest and may be any number: what counts is what the file holds.
    pub(crate) fn read(
        &self,
        path: &str,
        offset: u64,
        length: u64,
        bounds: &Bounds,
    ) -> Result<Vec<u8>, Refusal> {
        let (mut file, size) = self.open_file(path, OpenOptions::new().read(true))?;
        let wanted = length.min(size.saturating_sub(offset));
        if wanted == 0 {
            return Ok(Vec::new());
        }
        file.seek(SeekFrom::Start(offset))
            .map_err(|error| FileError::of(&error, path))?;
        self.read_some(file, path, wanted, bounds)
    }

    /// What is known of a path. A link that stays in the folder is followed, as opening it would be.
    pub(crate) fn metadata(&self, path: &str) -> Result<Metadata, Refusal> {
        let relative = relative(path)?;
        let found = self
            .root
            .metadata(relative)
            .map_err(|error| FileError::of(&error, path))?;
        let kind = Kind::of(found.file_type());
        let modified = found.modified().ok().and_then(|time| {
            let since = time.into_std().duration_since(UNIX_EPOCH).ok()?;
            Some(since.as_secs())
        });
        Ok(Metadata {
            kind,
            size: if kind == Kind::File { found.len() } else { 0 },
            modified,
        })
    }

    /// Reads `wanted` bytes from where the file stands; no more, should the file grow meanwhile.
    fn read_some(
        &self,
        file: File,
        path: &str,
        wanted: u64,
        bounds: &Bounds,
    ) -> Result<Vec<u8>, Refusal> {
        if wanted > self.max_file {
            return Err(FileError::TooLarge(path.to_owned()).into());
        }
        if wanted > bounds.crossing {
            return Err(LimitHit {
                name: "crossing",
                at: bounds.crossing,
                used: wanted,
            }
            .into());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(wanted).unwrap_or(0));
        file.take(wanted)
            .read_to_end(&mut bytes)
            .map_err(|error| FileError::of(&error, path))?;
        Ok(bytes)
    }

    /// Opens a regular file and nothing else, and says how long it is.
    ///
    /// The kind is asked before opening (opening a device can do something) and again after it (it may have been
    /// replaced meanwhile); in between, `O_NONBLOCK` keeps a FIFO from blocking the thread for good.
    pub(super) fn open_file(
        &self,
        path: &str,
        options: &mut OpenOptions,
    ) -> Result<(File, u64), FileError> {
        let relative = relative(path)?;
        let refuse = |error: io::Error| FileError::of(&error, path);
        match self.root.metadata(relative) {
            Ok(found) if !found.is_file() => return Err(FileError::NotAFile(path.to_owned())),
            Ok(_) => {}
            // A missing file is for `open` to judge: it may be about to be made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refuse(error)),
        }
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
        let file = self.root.open_with(relative, options).map_err(refuse)?;
        let found = file.metadata().map_err(refuse)?;
        if !found.is_file() {
            return Err(FileError::NotAFile(path.to_owned()));
        }
        Ok((file, found.len()))
    }
}

/// The path as one that can be resolved in the folder. `..` is left to cap-std, which follows it as far as the folder
/// goes; a path that starts at the system's root never means anything here.
pub(super) fn relative(path: &str) -> Result<&Path, FileError> {
    if path.is_empty() || path.contains('\0') {
        return Err(FileError::Invalid(path.to_owned()));
    }
    let given = Path::new(path);
    match given.components().next() {
        Some(Component::RootDir | Component::Prefix(_)) => Err(FileError::Denied(path.to_owned())),
        _ => Ok(given),
    }
}
