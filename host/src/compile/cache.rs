//! Cache: verdicts by everything that decides them, and compiled bindings by scope.
//!
//! An entry starts with the hash of what follows. That finds what a full disk or a crash left behind; it is no proof
//! against someone who can write the folder, and so the folder must be writable by the user alone.

#![expect(
    clippy::disallowed_methods,
    reason = "reads and writes verdicts and bindings in the cache"
)]

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::finding::Finding;

/// Raised when an entry's meaning changes.
const VERSION: &str = "lacuna verdict 2";

/// Length of a blake3 hash in hexadecimal.
const HASH: usize = 64;

/// What is kept of a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The linked core module.
    Accepted(Vec<u8>),
    /// What is wrong.
    Rejected(Vec<Finding>),
}

/// The head of an entry: JSON in one line, the module behind it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Head {
    Accepted,
    Rejected(Vec<Finding>),
}

/// The key of everything that is given: the parts are length-prefixed, so no two lists have the same bytes.
pub(super) fn key(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in std::iter::once(&VERSION).chain(parts) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// The entry for `key`; a missing, cut or changed one is none.
pub(super) fn read(folder: &Path, key: &str) -> Option<Verdict> {
    let bytes = std::fs::read(folder.join(key)).ok()?;
    let content = checked(&bytes)?;
    let end = content.iter().position(|byte| *byte == b'\n')?;
    match serde_json::from_slice(&content[..end]).ok()? {
        Head::Accepted => Some(Verdict::Accepted(content[end + 1..].to_vec())),
        Head::Rejected(findings) => Some(Verdict::Rejected(findings)),
    }
}

/// Writes an entry beside its place and renames it: a reader sees all of it or nothing.
pub(super) fn write(folder: &Path, key: &str, verdict: &Verdict) -> std::io::Result<()> {
    let (head, module): (Head, &[u8]) = match verdict {
        Verdict::Accepted(module) => (Head::Accepted, module),
        Verdict::Rejected(findings) => (Head::Rejected(findings.clone()), &[]),
    };
    let mut content = serde_json::to_vec(&head)?;
    content.push(b'\n');
    content.extend_from_slice(module);
    persist(&folder.join(key), &content)
}

/// Writes `content` with its hash before it.
fn persist(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(blake3::hash(content).to_hex().as_bytes())?;
    file.write_all(content)?;
    file.persist(path)?;
    Ok(())
}

/// The content behind a hash that fits it.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (hash, content) = bytes.split_at_checked(HASH)?;
    (blake3::hash(content).to_hex().as_bytes() == hash).then_some(content)
}

/// The compiled bindings in `folder`, if they are what was written there.
pub(super) fn read_bindings(folder: &Path) -> Option<PathBuf> {
    let library = folder.join("libbindings.rlib");
    let hash = std::fs::read_to_string(folder.join("blake3")).ok()?;
    let bytes = std::fs::read(&library).ok()?;
    (blake3::hash(&bytes).to_hex().as_str() == hash).then_some(library)
}

/// Moves a compiled library to `folder`. Two processes may do so at once: both made the same bytes.
pub(super) fn write_bindings(folder: &Path, library: &Path) -> std::io::Result<PathBuf> {
    crate::toolchain::make_private(folder).map_err(std::io::Error::other)?;
    if let Some(kept) = read_bindings(folder) {
        return Ok(kept);
    }
    let bytes = std::fs::read(library)?;
    let place = folder.join("libbindings.rlib");
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&bytes)?;
    file.persist(&place)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(blake3::hash(&bytes).to_hex().as_bytes())?;
    file.persist(folder.join("blake3"))?;
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_and_a_changed_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let verdict = Verdict::Accepted(b"\0asm\n\n".to_vec());
        let key = key(&["a", "b"]);
        write(folder.path(), &key, &verdict).unwrap();
        assert_eq!(read(folder.path(), &key), Some(verdict));
        let path = folder.path().join(&key);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(folder.path(), &key), None);
        std::fs::write(&path, &bytes[..10]).unwrap();
        assert_eq!(read(folder.path(), &key), None);
    }

    #[test]
    fn parts_cannot_run_into_each_other() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
    }
}
