//! What a compiled SDK consists of: a list of its files with size and hash, written when it is made. Sizes are compared
//! at every run, since that costs nothing; hashes when someone asks whether the SDK is whole.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the SDK in the cache and writes the list of its files"
)]

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The list, in the SDK's folder.
const LIST: &str = "contents";

/// Largest list that is read, bytes: some fifty lines of some hundred bytes.
const LARGEST: u64 = 1 << 20;

/// Writes the list of all files below `root`, links left out.
pub(super) fn write(root: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    walk(root, &mut files)?;
    files.sort();
    let mut list = String::new();
    for file in files {
        let size = fs::metadata(&file)?.len();
        let name = file.strip_prefix(root).unwrap_or(&file).display();
        list.push_str(&format!("{size} {} {name}\n", hash(&file)?));
    }
    fs::write(root.join(LIST), list)
}

/// The first file that is missing or has another size than when it was written; the list itself when it can't be used.
pub(super) fn missing(root: &Path) -> Option<PathBuf> {
    first(root, |file, size, _| {
        fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() == size)
    })
}

/// The first file that is not, byte for byte, what was written. Reads all of them.
pub(super) fn damaged(root: &Path) -> Option<PathBuf> {
    missing(root).or_else(|| {
        first(root, |file, _, wanted| {
            hash(file).is_ok_and(|hash| hash == wanted)
        })
    })
}

fn first(root: &Path, whole: impl Fn(&Path, u64, &str) -> bool) -> Option<PathBuf> {
    let list = root.join(LIST);
    let short = fs::metadata(&list).is_ok_and(|found| found.len() <= LARGEST);
    let Some(text) = short.then(|| fs::read_to_string(&list).ok()).flatten() else {
        return Some(list);
    };
    let mut lines = 0;
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(size), Some(hash), Some(name)) = (words.next(), words.next(), words.next())
        else {
            return Some(list);
        };
        let (Ok(size), file) = (size.parse(), root.join(name)) else {
            return Some(list);
        };
        if !whole(&file, size, hash) {
            return Some(file);
        }
        lines += 1;
    }
    // What a full disk leaves of a list may be nothing.
    (lines == 0).then_some(list)
}

fn hash(file: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(file)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_damage_is_found() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("a"), "one").unwrap();
        fs::write(at("inner/b"), "two").unwrap();
        std::os::unix::fs::symlink("nowhere", at("link")).unwrap();
        write(root.path()).unwrap();
        assert_eq!(damaged(root.path()), None);
        // The same size, other bytes: only a hash shows it.
        fs::write(at("inner/b"), "tow").unwrap();
        assert_eq!(missing(root.path()), None);
        assert_eq!(damaged(root.path()), Some(at("inner/b")));
        fs::write(at("inner/b"), "tw").unwrap();
        assert_eq!(missing(root.path()), Some(at("inner/b")));
        fs::remove_file(at("a")).unwrap();
        assert_eq!(missing(root.path()), Some(at("a")));
        for list in ["", "x", "1 2\n", "-1 2 a\n"] {
            fs::write(at(LIST), list).unwrap();
            assert_eq!(missing(root.path()), Some(at(LIST)), "{list:?}");
        }
    }
}
