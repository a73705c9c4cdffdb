//! Caches of a test's own, and what may be left in them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use super::plan::Plan;
use super::program;

/// How long a process that was killed may take to go: it is gone when its parent, or the system in its place, reaped it.
const GONE: Duration = Duration::from_secs(2);

/// A cache folder, removed when it is dropped.
pub(crate) struct Cache {
    /// Where it stands, with links resolved.
    pub(crate) folder: PathBuf,
    root: PathBuf,
}

impl Cache {
    /// One with nothing in it, at `inner` of a folder of the test's own.
    pub(crate) fn empty(inner: &str) -> Self {
        let root = program::scratch().canonicalize().unwrap();
        let folder = root.join(inner);
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        Self { folder, root }
    }

    /// One that has the SDK of all tests, and nothing else.
    pub(crate) fn with_sdk() -> Self {
        static MADE: Once = Once::new();
        MADE.call_once(|| {
            let plan = Plan::new("world hole { export run: func() -> string; }", "");
            let made = plan.check("String::new()");
            assert_eq!(made.code, Some(0), "the SDK is made: {made:?}");
        });
        let cache = Self::empty("");
        symlink(program::cache().join("sdk"), cache.folder.join("sdk")).unwrap();
        cache
    }

    /// The variable that has the program use it.
    pub(crate) fn variable(&self) -> (&str, &str) {
        ("LACUNA_CACHE_DIR", self.folder.to_str().unwrap())
    }

    /// No work folder, and no process whose current folder is in the cache.
    #[track_caller]
    pub(crate) fn is_clean(&self, what: &str) {
        let left: Vec<PathBuf> = fs::read_dir(self.folder.join("work"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert!(left.is_empty(), "{what}: {left:?}");
        let until = Instant::now() + GONE;
        loop {
            let alive = processes_in(&self.folder);
            if alive.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "{what}: {alive:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        // Or the SDK of all tests would go with it.
        let _ = fs::remove_file(self.folder.join("sdk"));
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The numbers of the processes whose current folder is `folder` or stands in it.
pub(crate) fn processes_in(folder: &Path) -> Vec<u32> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let cwd = fs::read_link(entry.path().join("cwd")).ok()?;
            cwd.starts_with(folder).then_some(pid)
        })
        .collect()
}
