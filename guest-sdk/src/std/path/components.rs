//! The parts of a path. The real `Components` gives the real `Path` out (`as_path`), so it is wrapped too.

use std::ffi::OsStr;
use std::fmt;
use std::iter::FusedIterator;
use std::path as real;

use super::Path;

/// A prefix as Windows has it (`C:`). Here no path has one; the type is for matches that name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PrefixComponent<'a> {
    text: &'a OsStr,
}

impl<'a> PrefixComponent<'a> {
    /// The text.
    pub fn as_os_str(&self) -> &'a OsStr {
        self.text
    }
}

/// A part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Component<'a> {
    /// Never here.
    Prefix(PrefixComponent<'a>),
    /// The `/` at the start.
    RootDir,
    /// `.`
    CurDir,
    /// `..`
    ParentDir,
    /// A name.
    Normal(&'a OsStr),
}

impl<'a> Component<'a> {
    fn of(component: real::Component<'a>) -> Self {
        match component {
            real::Component::RootDir => Self::RootDir,
            real::Component::CurDir => Self::CurDir,
            real::Component::ParentDir => Self::ParentDir,
            real::Component::Normal(name) => Self::Normal(name),
            real::Component::Prefix(prefix) => Self::Prefix(PrefixComponent {
                text: prefix.as_os_str(),
            }),
        }
    }

    /// The text.
    pub fn as_os_str(self) -> &'a OsStr {
        match self {
            Self::Prefix(prefix) => prefix.text,
            Self::RootDir => OsStr::new("/"),
            Self::CurDir => OsStr::new("."),
            Self::ParentDir => OsStr::new(".."),
            Self::Normal(name) => name,
        }
    }
}

impl AsRef<OsStr> for Component<'_> {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<Path> for Component<'_> {
    fn as_ref(&self) -> &Path {
        Path::new(self.as_os_str())
    }
}

/// The parts of a path, in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Components<'a> {
    inner: real::Components<'a>,
}

impl<'a> Components<'a> {
    pub(super) fn new(inner: real::Components<'a>) -> Self {
        Self { inner }
    }

    pub(super) fn into_iter_of_text(self) -> Iter<'a> {
        Iter { inner: self }
    }

    /// What is left.
    pub fn as_path(&self) -> &'a Path {
        Path::of(self.inner.as_path())
    }
}

impl fmt::Debug for Components<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl AsRef<Path> for Components<'_> {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl AsRef<OsStr> for Components<'_> {
    fn as_ref(&self) -> &OsStr {
        self.as_path().as_os_str()
    }
}

impl<'a> Iterator for Components<'a> {
    type Item = Component<'a>;

    fn next(&mut self) -> Option<Component<'a>> {
        self.inner.next().map(Component::of)
    }
}

impl<'a> DoubleEndedIterator for Components<'a> {
    fn next_back(&mut self) -> Option<Component<'a>> {
        self.inner.next_back().map(Component::of)
    }
}

impl FusedIterator for Components<'_> {}

/// The parts of a path as text.
#[derive(Clone)]
pub struct Iter<'a> {
    inner: Components<'a>,
}

impl<'a> Iter<'a> {
    /// What is left.
    pub fn as_path(&self) -> &'a Path {
        self.inner.as_path()
    }
}

impl fmt::Debug for Iter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a OsStr;

    fn next(&mut self) -> Option<&'a OsStr> {
        self.inner.next().map(Component::as_os_str)
    }
}

impl<'a> DoubleEndedIterator for Iter<'a> {
    fn next_back(&mut self) -> Option<&'a OsStr> {
        self.inner.next_back().map(Component::as_os_str)
    }
}

impl FusedIterator for Iter<'_> {}

/// A path, its parent, and so on.
#[derive(Clone, Copy, Debug)]
pub struct Ancestors<'a> {
    next: Option<&'a Path>,
}

impl<'a> Ancestors<'a> {
    pub(super) fn new(path: &'a Path) -> Self {
        Self { next: Some(path) }
    }
}

impl<'a> Iterator for Ancestors<'a> {
    type Item = &'a Path;

    fn next(&mut self) -> Option<&'a Path> {
        let path = self.next?;
        self.next = path.parent();
        Some(path)
    }
}

impl FusedIterator for Ancestors<'_> {}
