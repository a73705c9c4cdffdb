//! From, into, and compared with the types of text.

use std::borrow::Cow;
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::rc::Rc;
use std::str::FromStr;
use std::sync::Arc;

use super::{Iter, Path, PathBuf};

macro_rules! as_path {
    ($($type:ty),*) => {$(
        impl AsRef<Path> for $type {
            fn as_ref(&self) -> &Path {
                Path::new(self)
            }
        }
    )*};
}
as_path!(str, String, OsStr, OsString, Cow<'_, OsStr>);

impl AsRef<Path> for Path {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl AsRef<Path> for PathBuf {
    fn as_ref(&self) -> &Path {
        self
    }
}

impl AsRef<Path> for Iter<'_> {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl AsRef<OsStr> for Path {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl AsRef<OsStr> for PathBuf {
    fn as_ref(&self) -> &OsStr {
        self.as_os_str()
    }
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for PathBuf {
    fn from(text: &T) -> Self {
        Path::new(text).to_path_buf()
    }
}

impl From<String> for PathBuf {
    fn from(text: String) -> Self {
        Self { inner: text.into() }
    }
}

impl From<OsString> for PathBuf {
    fn from(text: OsString) -> Self {
        Self { inner: text.into() }
    }
}

impl From<PathBuf> for OsString {
    fn from(path: PathBuf) -> Self {
        path.into_os_string()
    }
}

impl From<Box<Path>> for PathBuf {
    fn from(path: Box<Path>) -> Self {
        path.to_path_buf()
    }
}

impl<'a> From<Cow<'a, Path>> for PathBuf {
    fn from(path: Cow<'a, Path>) -> Self {
        path.into_owned()
    }
}

impl From<PathBuf> for Box<Path> {
    fn from(path: PathBuf) -> Self {
        let real = Box::into_raw(path.inner.into_boxed_path());
        // SAFETY: `repr(transparent)` over the same type, the box is rebuilt once.
        unsafe { Self::from_raw(real as *mut Path) }
    }
}

impl From<&Path> for Box<Path> {
    fn from(path: &Path) -> Self {
        path.to_path_buf().into()
    }
}

impl Clone for Box<Path> {
    fn clone(&self) -> Self {
        self.to_path_buf().into()
    }
}

impl From<PathBuf> for Arc<Path> {
    fn from(path: PathBuf) -> Self {
        Box::<Path>::from(path).into()
    }
}

impl From<&Path> for Arc<Path> {
    fn from(path: &Path) -> Self {
        Box::<Path>::from(path).into()
    }
}

impl From<PathBuf> for Rc<Path> {
    fn from(path: PathBuf) -> Self {
        Box::<Path>::from(path).into()
    }
}

impl From<&Path> for Rc<Path> {
    fn from(path: &Path) -> Self {
        Box::<Path>::from(path).into()
    }
}

impl<'a> From<&'a Path> for Cow<'a, Path> {
    fn from(path: &'a Path) -> Self {
        Cow::Borrowed(path)
    }
}

impl<'a> From<PathBuf> for Cow<'a, Path> {
    fn from(path: PathBuf) -> Self {
        Cow::Owned(path)
    }
}

impl<'a> From<&'a PathBuf> for Cow<'a, Path> {
    fn from(path: &'a PathBuf) -> Self {
        Cow::Borrowed(path)
    }
}

impl FromStr for PathBuf {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(text.into())
    }
}

impl<P: AsRef<Path>> FromIterator<P> for PathBuf {
    fn from_iter<I: IntoIterator<Item = P>>(parts: I) -> Self {
        let mut path = Self::new();
        path.extend(parts);
        path
    }
}

impl<P: AsRef<Path>> Extend<P> for PathBuf {
    fn extend<I: IntoIterator<Item = P>>(&mut self, parts: I) {
        for part in parts {
            self.push(part);
        }
    }
}

impl<'a> IntoIterator for &'a Path {
    type Item = &'a OsStr;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a PathBuf {
    type Item = &'a OsStr;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

macro_rules! compare {
    ($($left:ty, $right:ty;)*) => {$(
        impl PartialEq<$right> for $left {
            fn eq(&self, other: &$right) -> bool {
                let (left, right): (&Path, &Path) = (self.as_ref(), other.as_ref());
                left.inner == right.inner
            }
        }

        impl PartialEq<$left> for $right {
            fn eq(&self, other: &$left) -> bool {
                other == self
            }
        }

        impl PartialOrd<$right> for $left {
            fn partial_cmp(&self, other: &$right) -> Option<std::cmp::Ordering> {
                let (left, right): (&Path, &Path) = (self.as_ref(), other.as_ref());
                left.inner.partial_cmp(&right.inner)
            }
        }

        impl PartialOrd<$left> for $right {
            fn partial_cmp(&self, other: &$left) -> Option<std::cmp::Ordering> {
                other.partial_cmp(self).map(std::cmp::Ordering::reverse)
            }
        }
    )*};
}
compare! {
    PathBuf, Path;
    PathBuf, &Path;
    PathBuf, OsStr;
    PathBuf, &OsStr;
    PathBuf, OsString;
    Path, OsStr;
    Path, &OsStr;
    Path, OsString;
    &Path, OsString;
    PathBuf, Cow<'_, Path>;
    Path, Cow<'_, Path>;
}

// `path == "a/b"` exists since Rust 1.91.
macro_rules! compare_text {
    ($($left:ty, $right:ty;)*) => {$(
        impl PartialEq<$right> for $left {
            fn eq(&self, other: &$right) -> bool {
                let (left, right): (&Path, &Path) = (self.as_ref(), other.as_ref());
                left.inner == right.inner
            }
        }

        impl PartialEq<$left> for $right {
            fn eq(&self, other: &$left) -> bool {
                other == self
            }
        }
    )*};
}
compare_text! {
    PathBuf, str;
    PathBuf, &str;
    PathBuf, String;
    Path, str;
    Path, &str;
    Path, String;
}
