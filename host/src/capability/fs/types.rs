//! The types of `lacuna:fs/types`, as the engine copies them.

use std::io;

use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::capability::call::Crossing;
use crate::trace::text;

/// `error`; fs.wit says what each case means. The text is the path as the guest gave it: a host path must not reach a
/// guest.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum FileError {
    #[component(name = "not-found")]
    NotFound(String),
    #[component(name = "denied")]
    Denied(String),
    #[component(name = "exists")]
    Exists(String),
    #[component(name = "not-a-folder")]
    NotAFolder(String),
    #[component(name = "not-a-file")]
    NotAFile(String),
    #[component(name = "not-empty")]
    NotEmpty(String),
    #[component(name = "not-text")]
    NotText(String),
    #[component(name = "too-large")]
    TooLarge(String),
    #[component(name = "invalid")]
    Invalid(String),
    #[component(name = "other")]
    Other(String),
}

impl FileError {
    /// What the system's error means for the guest. The system's own words are not passed on.
    pub(crate) fn of(error: &io::Error, path: &str) -> Self {
        use io::ErrorKind as Kind;
        let path = path.to_owned();
        // A socket, or a FIFO to be written that nobody reads: no regular file.
        if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) {
            return Self::NotAFile(path);
        }
        match error.kind() {
            Kind::NotFound => Self::NotFound(path),
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Self::Denied(path),
            Kind::AlreadyExists => Self::Exists(path),
            Kind::NotADirectory => Self::NotAFolder(path),
            Kind::IsADirectory => Self::NotAFile(path),
            Kind::DirectoryNotEmpty => Self::NotEmpty(path),
            Kind::InvalidInput | Kind::InvalidFilename => Self::Invalid(path),
            Kind::FileTooLarge => Self::TooLarge(path),
            _ => Self::Other(path),
        }
    }
}

impl Crossing for FileError {
    fn bytes(&self) -> u64 {
        self.parts().1.len() as u64 + size_of::<Self>() as u64
    }

    fn report(&self) -> Json {
        let (case, path) = self.parts();
        json!({ case: text(path) })
    }
}

impl FileError {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::NotFound(path) => ("not-found", path),
            Self::Denied(path) => ("denied", path),
            Self::Exists(path) => ("exists", path),
            Self::NotAFolder(path) => ("not-a-folder", path),
            Self::NotAFile(path) => ("not-a-file", path),
            Self::NotEmpty(path) => ("not-empty", path),
            Self::NotText(path) => ("not-text", path),
            Self::TooLarge(path) => ("too-large", path),
            Self::Invalid(path) => ("invalid", path),
            Self::Other(path) => ("other", path),
        }
    }
}

/// `kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(enum)]
#[repr(u8)]
pub(crate) enum Kind {
    #[component(name = "file")]
    File,
    #[component(name = "folder")]
    Folder,
    #[component(name = "link")]
    Link,
    #[component(name = "other")]
    Other,
}

impl Kind {
    /// Of what the system says of a path, links not followed.
    pub(crate) fn of(kind: cap_std::fs::FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Folder => "folder",
            Self::Link => "link",
            Self::Other => "other",
        }
    }
}

/// `entry`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Entry {
    /// Relative to the granted folder.
    pub(crate) path: String,
    /// What it is.
    pub(crate) kind: Kind,
    /// Of a file.
    pub(crate) size: u64,
}

impl Crossing for Vec<Entry> {
    fn bytes(&self) -> u64 {
        self.iter()
            .map(|entry| (size_of::<Entry>() + entry.path.len()) as u64)
            .sum()
    }

    fn report(&self) -> Json {
        self.iter()
            .map(|entry| json!({ "path": text(&entry.path), "kind": entry.kind.name(), "size": entry.size }))
            .collect()
    }
}

/// `metadata`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Metadata {
    /// What it is.
    pub(crate) kind: Kind,
    /// Of a file.
    pub(crate) size: u64,
    /// Seconds since 1970.
    pub(crate) modified: Option<u64>,
}

impl Crossing for Metadata {
    fn bytes(&self) -> u64 {
        size_of::<Self>() as u64
    }

    fn report(&self) -> Json {
        json!({ "kind": self.kind.name(), "size": self.size, "modified": self.modified })
    }
}
