//! Machine code of single functions, kept between compilations.
//!
//! Nine of ten functions of a component are std's, and the same in every component. Cranelift finds the code of a
//! function again by a hash of its intermediate form, its settings and its own version (wasmtime's incremental
//! compilation), so a new snippet costs little more than its own functions. What a snippet brings can't be mistaken for
//! anything else: the key is a hash of all that the code follows from.
//!
//! In a process the store grows to a bound; on disk is one file with the functions of the first components, in the
//! folder of compiled code and trusted like it (see `cache`).
#![expect(
    clippy::disallowed_methods,
    reason = "keeps machine code in the cache, beside compiled components"
)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wasmtime::CacheStore;

use super::cache;

/// Name of the file.
const FILE: &str = "functions.bin";

/// Bytes that a process keeps at most; a component's functions are half a mebibyte.
const MOST_IN_MEMORY: usize = 32 * 1024 * 1024;

/// Bytes of the file at most: it is read whole by each process that compiles.
const MOST_ON_DISK: usize = 4 * 1024 * 1024;

/// New functions of one compilation that are worth writing the file again: more than a snippet's own.
const WORTH_WRITING: usize = 64;

/// The store, shared by the engines of a process.
#[derive(Debug, Default)]
pub(super) struct Functions {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    code: HashMap<Box<[u8]>, Box<[u8]>>,
    bytes: usize,
    /// Whether the file was read.
    warm: bool,
    /// Functions that came in since the last call of `keep`.
    fresh: usize,
}

impl Functions {
    /// Takes in what earlier processes kept in `folder`, once. A file that is damaged is as good as none.
    pub(super) fn warm(&self, folder: &Path) {
        let mut known = self.lock();
        if known.warm {
            return;
        }
        known.warm = true;
        let Some(content) = cache::read_checked(&folder.join(FILE)) else {
            return;
        };
        let mut rest = content.as_slice();
        while let Some((key, value)) = take(&mut rest).zip(take(&mut rest)) {
            known.put(key, value);
        }
        known.fresh = 0;
    }

    /// Writes the file again if the last compilation had many functions that no earlier one had.
    pub(super) fn keep(&self, folder: &Path) {
        let mut known = self.lock();
        let fresh = std::mem::take(&mut known.fresh);
        if fresh < WORTH_WRITING || known.bytes > MOST_ON_DISK {
            return;
        }
        let mut content = Vec::with_capacity(known.bytes);
        for part in known.code.iter().flat_map(|(key, value)| [key, value]) {
            content.extend_from_slice(&(part.len() as u32).to_le_bytes());
            content.extend_from_slice(part);
        }
        drop(known);
        // Losing it only costs time.
        let _ = fs::create_dir_all(folder);
        let _ = cache::write_checked(&folder.join(FILE), &content);
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn put(&mut self, key: &[u8], value: &[u8]) -> bool {
        let bytes = key.len() + value.len() + 2 * size_of::<u32>();
        if self.bytes + bytes > MOST_IN_MEMORY {
            return false;
        }
        if self.code.insert(key.into(), value.into()).is_none() {
            self.bytes += bytes;
            self.fresh += 1;
        }
        true
    }
}

impl CacheStore for Functions {
    fn get(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        let known = self.lock();
        known.code.get(key).map(|code| Cow::Owned(code.to_vec()))
    }

    fn insert(&self, key: &[u8], value: Vec<u8>) -> bool {
        self.lock().put(key, &value)
    }
}

/// The next part: its length, then its bytes.
fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, behind) = rest.split_first_chunk()?;
    let (part, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *rest = behind;
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(count: usize) -> Functions {
        let functions = Functions::default();
        for number in 0..count {
            assert!(functions.insert(&number.to_le_bytes(), vec![number as u8; 100]));
        }
        functions
    }

    #[test]
    fn what_is_kept_is_found_by_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        filled(WORTH_WRITING).keep(folder.path());
        let next = Functions::default();
        next.warm(folder.path());
        assert_eq!(next.get(&3usize.to_le_bytes()).unwrap().as_ref(), [3; 100]);
        assert!(next.get(b"other").is_none());
    }

    #[test]
    fn a_snippets_own_functions_are_not_worth_a_write() {
        let folder = tempfile::tempdir().unwrap();
        filled(WORTH_WRITING - 1).keep(folder.path());
        assert!(!folder.path().join(FILE).exists());
    }

    #[test]
    fn a_damaged_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        filled(WORTH_WRITING).keep(folder.path());
        let file = folder.path().join(FILE);
        let mut content = fs::read(&file).unwrap();
        *content.last_mut().unwrap() ^= 1;
        fs::write(&file, &content).unwrap();
        let next = Functions::default();
        next.warm(folder.path());
        assert!(next.get(&3usize.to_le_bytes()).is_none());
    }

    #[test]
    fn the_store_does_not_grow_without_end() {
        let functions = Functions::default();
        assert!(functions.insert(b"a", vec![0; MOST_IN_MEMORY / 2]));
        assert!(!functions.insert(b"b", vec![0; MOST_IN_MEMORY / 2]));
    }
}
