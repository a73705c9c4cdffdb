//! One granted folder, and reading in it.
#![expect(clippy::disallowed_methods, reason = "opens the one granted folder")]

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path};
use std::time::UNIX_EPOCH;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, FileTypeExt, OpenOptions, OpenOptionsExt};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;

use super::Refusal;
use super::pipe::Pipe;
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

/// What was opened for reading.
enum Opened {
    /// A regular file and its length.
    File(File, u64),
    /// A FIFO.
    Pipe(File),
}

/// What a file holds, or will.
#[derive(Debug)]
pub(super) enum Content {
    /// Read.
    Bytes(Vec<u8>),
    /// To be waited for.
    Pipe(Pipe),
}

impl Content {
    /// The bytes, when they are there.
    pub(super) async fn bytes(self) -> Result<Vec<u8>, Refusal> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Pipe(pipe) => pipe.read().await,
        }
    }
}

impl Folder {
    /// Opens it by the path that the grant holds. That path had no link in it; one that stands there now was put there
    /// since, perhaps by a guest that may write in a folder above, and is not followed.
    pub(crate) fn open(grant: &FolderGrant) -> io::Result<Self> {
        let opened = openat2(
            CWD,
            &grant.root,
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
            ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
        );
        let root = match opened {
            Ok(folder) => Dir::from_std_file(folder.into()),
            Err(Errno::LOOP) => {
                return Err(io::Error::other(
                    "a link stands in its path, where none was when the grant was read",
                ));
            }
            // A system, or a filter of system calls, without `openat2`.
            Err(Errno::NOSYS | Errno::PERM) => {
                Dir::open_ambient_dir(&grant.root, ambient_authority())?
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self {
            root,
            max_file: grant.max_file,
        })
    }

    /// The whole file.
    pub(super) fn whole(&self, path: &str, bounds: &Bounds) -> Result<Content, Refusal> {
        match self.open_for_reading(path)? {
            Opened::File(file, size) => {
                self.read_some(file, path, size, bounds).map(Content::Bytes)
            }
            Opened::Pipe(file) => Ok(Content::Pipe(self.pipe(file, path, 0, None, bounds))),
        }
    }

    /// A part of a file. `length` comes from the guest and may be any number: what counts is what the file holds.
    pub(super) fn part(
        &self,
        path: &str,
        offset: u64,
        length: u64,
        bounds: &Bounds,
    ) -> Result<Content, Refusal> {
        let (mut file, size) = match self.open_for_reading(path)? {
            Opened::File(file, size) => (file, size),
            Opened::Pipe(file) => {
                let pipe = self.pipe(file, path, offset, Some(length), bounds);
                return Ok(Content::Pipe(pipe));
            }
        };
        let wanted = length.min(size.saturating_sub(offset));
        if wanted == 0 {
            return Ok(Content::Bytes(Vec::new()));
        }
        file.seek(SeekFrom::Start(offset))
            .map_err(|error| FileError::of(&error, path))?;
        self.read_some(file, path, wanted, bounds)
            .map(Content::Bytes)
    }

    fn pipe(
        &self,
        file: File,
        path: &str,
        skip: u64,
        wanted: Option<u64>,
        bounds: &Bounds,
    ) -> Pipe {
        Pipe {
            file: file.into_std(),
            path: path.to_owned(),
            skip,
            wanted,
            max_file: self.max_file,
            crossing: bounds.crossing,
        }
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
    pub(super) fn open_file(
        &self,
        path: &str,
        options: &mut OpenOptions,
    ) -> Result<(File, u64), FileError> {
        match self.open_kind(path, options, false)? {
            Opened::File(file, size) => Ok((file, size)),
            Opened::Pipe(_) => Err(FileError::NotAFile(path.to_owned())),
        }
    }

    /// Opens a regular file or a FIFO.
    fn open_for_reading(&self, path: &str) -> Result<Opened, FileError> {
        self.open_kind(path, OpenOptions::new().read(true), true)
    }

    /// The kind is asked before opening (opening a device can do something) and again after it (it may have been
    /// replaced meanwhile); in between, `O_NONBLOCK` keeps a FIFO from blocking the thread for good.
    fn open_kind(
        &self,
        path: &str,
        options: &mut OpenOptions,
        pipes: bool,
    ) -> Result<Opened, FileError> {
        let relative = relative(path)?;
        let refuse = |error: io::Error| FileError::of(&error, path);
        let fits = |found: &cap_std::fs::Metadata| {
            found.is_file() || (pipes && found.file_type().is_fifo())
        };
        match self.root.metadata(relative) {
            Ok(found) if !fits(&found) => return Err(FileError::NotAFile(path.to_owned())),
            Ok(_) => {}
            // A missing file is for `open` to judge: it may be about to be made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(refuse(error)),
        }
        options.custom_flags(OFlags::NONBLOCK.bits() as i32);
        let file = self.root.open_with(relative, options).map_err(refuse)?;
        let found = file.metadata().map_err(refuse)?;
        match fits(&found) {
            true if found.is_file() => Ok(Opened::File(file, found.len())),
            true => Ok(Opened::Pipe(file)),
            false => Err(FileError::NotAFile(path.to_owned())),
        }
    }
}

/// Longest path, bytes: no system call takes one of `PATH_MAX` (with the zero at its end) or more. What is done for each
/// part of a path is bounded by it too.
const PATH: usize = 4095;

/// The path as one that can be resolved in the folder. `..` is left to cap-std, which follows it as far as the folder
/// goes; a path that starts at the system's root never means anything here.
pub(super) fn relative(path: &str) -> Result<&Path, FileError> {
    if path.is_empty() || path.len() > PATH || path.contains('\0') {
        return Err(FileError::Invalid(path.to_owned()));
    }
    let given = Path::new(path);
    match given.components().next() {
        Some(Component::RootDir | Component::Prefix(_)) => Err(FileError::Denied(path.to_owned())),
        _ => Ok(given),
    }
}
