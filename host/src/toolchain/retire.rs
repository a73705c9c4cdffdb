//! Removing SDKs that nobody uses any more: a new compiler or a new version of Lacuna brings an SDK of its own, and each
//! is some hundred megabytes.
//!
//! Every process holds a shared lock on the SDK it uses. One is removed when its lock is free and was not taken for a
//! month; what a killed process was making is removed after a day.

#![expect(
    clippy::disallowed_methods,
    reason = "looks at the SDKs of the cache and removes old ones"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::store::older;

/// An SDK that was not used for so long is removed.
const UNUSED: Duration = Duration::from_secs(30 * DAY);

/// An SDK that is being made for so long was given up: making one takes some ten seconds.
const ABANDONED: Duration = Duration::from_secs(DAY);

/// Seconds.
const DAY: u64 = 24 * 60 * 60;

/// Prefix of folders in the making.
pub(super) const IN_THE_MAKING: &str = ".new-";

/// Takes the shared lock of an SDK and notes that it is used now. A cache that can't be written has none.
pub(super) fn hold(folder: &Path, name: &str) -> Option<Arc<File>> {
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(used(folder, name))
        .ok()?;
    lock.lock_shared().ok()?;
    let _ = lock.set_modified(SystemTime::now());
    Some(Arc::new(lock))
}

/// Removes what nobody uses, except `own`. What can't be removed is left for the next time: no reason to fail.
pub(super) fn old(folder: &Path, own: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = entry.path();
        if name == own || !path.is_dir() {
            continue;
        }
        if name.starts_with(IN_THE_MAKING) {
            if older(&path, ABANDONED) {
                let _ = fs::remove_dir_all(&path);
            }
            continue;
        }
        let used = used(folder, &name);
        let Ok(lock) = File::open(&used) else {
            // Made by a version that kept no such file: its time counts from now.
            let _ = File::create(&used);
            continue;
        };
        // Held while it is removed: a process that comes now waits, and then makes it anew. The file stays, since another
        // process may be waiting for its lock.
        if older(&used, UNUSED) && lock.try_lock().is_ok() && older(&used, UNUSED) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Does `work` while nobody uses this SDK; `None` when someone does. Whoever comes meanwhile waits.
pub(super) fn unless_used<T>(folder: &Path, name: &str, work: impl FnOnce() -> T) -> Option<T> {
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(used(folder, name))
        .ok()?;
    lock.try_lock().ok()?;
    Some(work())
}

/// When an SDK was last used.
pub(super) fn last_use(folder: &Path, name: &str) -> Option<SystemTime> {
    fs::metadata(used(folder, name)).ok()?.modified().ok()
}

/// The file that bears an SDK's shared lock, and the time of its last use. (`NAME.lock` is held while it is made.)
fn used(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.used"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_used_for_long_goes() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path();
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(DAY);
        let age = |path: &str, time| {
            let path = folder.join(path);
            File::open(path).unwrap().set_modified(time).unwrap();
        };
        for name in ["own", "old", "held", "recent", ".new-old", ".new-now"] {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("x"), "").unwrap();
            fs::write(folder.join(format!("{name}.used")), "").unwrap();
        }
        let held = hold(folder, "held").unwrap();
        for lock in ["own.used", "old.used", "held.used", ".new-old"] {
            age(lock, long_ago);
        }
        old(folder, "own");
        let left = |name: &str| folder.join(name).exists();
        for (name, stays) in [
            ("own", true),
            ("old", false),
            ("old.used", true),
            ("held", true),
            ("recent", true),
            (".new-old", false),
            (".new-now", true),
        ] {
            assert_eq!(left(name), stays, "{name}");
        }
        drop(held);
        old(folder, "own");
        assert!(!left("held"));
    }
}
