//! Paths as text. The real `Path` can ask the file system (`exists()`, `canonicalize()`), so these are types of our
//! own around it, with its pure methods only; nothing here gives the real one out.

mod components;
mod conversions;

use std::borrow::{Borrow, Cow};
use std::collections::TryReserveError;
use std::ffi::{OsStr, OsString};
use std::{fmt, path as real};

pub use components::{Ancestors, Component, Components, Iter, PrefixComponent};
pub use real::{MAIN_SEPARATOR, MAIN_SEPARATOR_STR, is_separator};

/// A slice of a path.
#[repr(transparent)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    inner: real::Path,
}

/// An owned path.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathBuf {
    inner: real::PathBuf,
}

/// The prefix was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripPrefixError(());

impl fmt::Display for StripPrefixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("prefix not found")
    }
}

impl std::error::Error for StripPrefixError {}

/// A path for `{}`.
pub struct Display<'a>(real::Display<'a>);

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl fmt::Debug for PathBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.inner, f)
    }
}

impl Path {
    fn of(path: &real::Path) -> &Self {
        // SAFETY: `repr(transparent)` over the same type.
        unsafe { &*(std::ptr::from_ref(path) as *const Self) }
    }

    /// A text as a path.
    pub fn new<S: AsRef<OsStr> + ?Sized>(text: &S) -> &Self {
        Self::of(real::Path::new(text))
    }

    /// The text.
    pub fn as_os_str(&self) -> &OsStr {
        self.inner.as_os_str()
    }

    /// The text, for changing it in place.
    pub fn as_mut_os_str(&mut self) -> &mut OsStr {
        self.inner.as_mut_os_str()
    }

    /// The text, if it is Unicode.
    pub fn to_str(&self) -> Option<&str> {
        self.inner.to_str()
    }

    /// The text, with replacement characters where it is not Unicode.
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        self.inner.to_string_lossy()
    }

    /// An owned copy.
    pub fn to_path_buf(&self) -> PathBuf {
        PathBuf {
            inner: self.inner.to_path_buf(),
        }
    }

    /// Whether it starts at the root.
    pub fn is_absolute(&self) -> bool {
        // On this target the real answer depends on nothing but the root.
        self.inner.has_root()
    }

    /// Whether it does not start at the root.
    pub fn is_relative(&self) -> bool {
        !self.is_absolute()
    }

    /// Whether it starts at the root.
    pub fn has_root(&self) -> bool {
        self.inner.has_root()
    }

    /// All but the last component.
    pub fn parent(&self) -> Option<&Self> {
        self.inner.parent().map(Self::of)
    }

    /// This path, its parent, and so on.
    pub fn ancestors(&self) -> Ancestors<'_> {
        Ancestors::new(self)
    }

    /// The last component, if it is a name.
    pub fn file_name(&self) -> Option<&OsStr> {
        self.inner.file_name()
    }

    /// The name without its extension.
    pub fn file_stem(&self) -> Option<&OsStr> {
        self.inner.file_stem()
    }

    /// What stands before the first dot of the name.
    pub fn file_prefix(&self) -> Option<&OsStr> {
        self.inner.file_prefix()
    }

    /// What stands behind the last dot of the name.
    pub fn extension(&self) -> Option<&OsStr> {
        self.inner.extension()
    }

    /// The path below `base`.
    ///
    /// # Errors
    /// When this path does not start with `base`.
    pub fn strip_prefix<P: AsRef<Path>>(&self, base: P) -> Result<&Self, StripPrefixError> {
        match self.inner.strip_prefix(&base.as_ref().inner) {
            Ok(rest) => Ok(Self::of(rest)),
            Err(_) => Err(StripPrefixError(())),
        }
    }

    /// Whether the first components are those of `base`.
    pub fn starts_with<P: AsRef<Path>>(&self, base: P) -> bool {
        self.inner.starts_with(&base.as_ref().inner)
    }

    /// Whether the last components are those of `child`.
    pub fn ends_with<P: AsRef<Path>>(&self, child: P) -> bool {
        self.inner.ends_with(&child.as_ref().inner)
    }

    /// This path with another behind it.
    pub fn join<P: AsRef<Path>>(&self, path: P) -> PathBuf {
        PathBuf {
            inner: self.inner.join(&path.as_ref().inner),
        }
    }

    /// This path with another name at its end.
    pub fn with_file_name<S: AsRef<OsStr>>(&self, name: S) -> PathBuf {
        PathBuf {
            inner: self.inner.with_file_name(name),
        }
    }

    /// This path with another extension.
    pub fn with_extension<S: AsRef<OsStr>>(&self, extension: S) -> PathBuf {
        PathBuf {
            inner: self.inner.with_extension(extension),
        }
    }

    /// This path with one more extension.
    pub fn with_added_extension<S: AsRef<OsStr>>(&self, extension: S) -> PathBuf {
        PathBuf {
            inner: self.inner.with_added_extension(extension),
        }
    }

    /// Its parts.
    pub fn components(&self) -> Components<'_> {
        Components::new(self.inner.components())
    }

    /// Its parts as text.
    pub fn iter(&self) -> Iter<'_> {
        self.components().into_iter_of_text()
    }

    /// For `{}`.
    pub fn display(&self) -> Display<'_> {
        Display(self.inner.display())
    }

    /// The same, boxed, to a buffer.
    pub fn into_path_buf(self: Box<Self>) -> PathBuf {
        self.to_path_buf()
    }
}

impl PathBuf {
    /// An empty path.
    pub const fn new() -> Self {
        Self {
            inner: real::PathBuf::new(),
        }
    }

    /// An empty path with room.
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            inner: real::PathBuf::with_capacity(capacity),
        }
    }

    /// As a slice.
    pub fn as_path(&self) -> &Path {
        Path::of(&self.inner)
    }

    /// Puts a path behind this one; an absolute one replaces it.
    pub fn push<P: AsRef<Path>>(&mut self, path: P) {
        self.inner.push(&path.as_ref().inner);
    }

    /// Removes the last component.
    pub fn pop(&mut self) -> bool {
        self.inner.pop()
    }

    /// Replaces the name.
    pub fn set_file_name<S: AsRef<OsStr>>(&mut self, name: S) {
        self.inner.set_file_name(name);
    }

    /// Replaces the extension.
    pub fn set_extension<S: AsRef<OsStr>>(&mut self, extension: S) -> bool {
        self.inner.set_extension(extension)
    }

    /// Adds an extension.
    pub fn add_extension<S: AsRef<OsStr>>(&mut self, extension: S) -> bool {
        self.inner.add_extension(extension)
    }

    /// The text, for changing it in place.
    pub fn as_mut_os_string(&mut self) -> &mut OsString {
        self.inner.as_mut_os_string()
    }

    /// The text.
    pub fn into_os_string(self) -> OsString {
        self.inner.into_os_string()
    }

    /// As a box.
    pub fn into_boxed_path(self) -> Box<Path> {
        Box::from(self)
    }

    /// Bytes there is room for.
    pub fn capacity(&self) -> usize {
        self.inner.capacity()
    }

    /// Makes it empty.
    pub fn clear(&mut self) {
        self.inner.clear();
    }

    /// Makes room.
    pub fn reserve(&mut self, additional: usize) {
        self.inner.reserve(additional);
    }

    /// Makes room, or says that there is none.
    ///
    /// # Errors
    /// When memory is short.
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), TryReserveError> {
        self.inner.try_reserve(additional)
    }

    /// Gives spare room back.
    pub fn shrink_to_fit(&mut self) {
        self.inner.shrink_to_fit();
    }
}

impl std::ops::Deref for PathBuf {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.as_path()
    }
}

impl Borrow<Path> for PathBuf {
    fn borrow(&self) -> &Path {
        self.as_path()
    }
}

impl ToOwned for Path {
    type Owned = PathBuf;

    fn to_owned(&self) -> PathBuf {
        self.to_path_buf()
    }
}
