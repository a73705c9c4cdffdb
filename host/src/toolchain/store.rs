//! What is in the cache, by kind, and removing it.
//!
//! Only what bears a name that Lacuna gives is seen at all: whatever else lies in the folder stays. Nothing that a
//! running process uses is removed: an SDK and a work folder have a lock of their own, the bindings share one; verdicts
//! and compiled code are read whole and may vanish at any time.
#![expect(
    clippy::disallowed_methods,
    reason = "looks at what is in the cache and removes it when asked"
)]

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::{ToolchainError, retire};

/// The file that tells backups, and [`clean`], that a folder is a cache.
pub(super) const TAG: &str = "CACHEDIR.TAG";

/// Its text: the first line is what the specification of such tags asks for.
pub(super) const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # This folder is a cache of Lacuna. `lacuna cache clean --all` empties it.\n";

/// A run's folder without a lock younger than this may be one that is just being made.
const SETTLED: Duration = Duration::from_secs(60);

/// A file that is being written for so long was given up.
const GIVEN_UP: Duration = Duration::from_secs(60 * 60);

/// Lock of all bindings, in their folder: each process that may use some holds it shared.
const BINDINGS_LOCK: &str = "in-use";

/// Lock of a run, in its work folder: the run holds it as long as it lives.
pub(crate) const RUN_LOCK: &str = "lock";

/// Characters of a blake3 hash.
const HASH: usize = 64;

/// Characters of the part of it that names an SDK.
const SHORT_HASH: usize = 32;

/// Characters of the hash that names an engine and its settings.
const ENGINE_HASH: usize = 16;

/// Characters that a temporary file's name has behind [`TEMPORARY`].
const RANDOM: usize = 6;

/// Begins the name of a file that is being written beside its place.
const TEMPORARY: &str = ".tmp";

/// A kind of what is kept in the cache, each in a folder of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The guest SDK, compiled for one toolchain.
    Sdk,
    /// The compiled bindings of one scope.
    Bindings,
    /// What was said of one snippet in one scope.
    Verdicts,
    /// Machine code of accepted components and of their functions.
    Compiled,
    /// Work folders of runs; those of living ones are in use.
    Work,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Sdk,
        Self::Bindings,
        Self::Verdicts,
        Self::Compiled,
        Self::Work,
    ];

    /// Its folder in the cache, and its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sdk => "sdk",
            Self::Bindings => "bindings",
            Self::Verdicts => "verdicts",
            Self::Compiled => "compiled",
            Self::Work => "work",
        }
    }

    /// Whether Lacuna names something of this kind so.
    fn owns(self, name: &str, is_folder: bool) -> bool {
        let hash = |text: &str, length| {
            text.len() == length
                && text
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let code = |name: &str| {
            let name = name.strip_suffix(".cwasm");
            name.and_then(|name| name.split_once('-'))
                .is_some_and(|(component, engine)| {
                    hash(component, HASH) && hash(engine, ENGINE_HASH)
                })
        };
        match (self, is_folder) {
            (Self::Sdk, true) => hash(name, SHORT_HASH) || name.starts_with(retire::IN_THE_MAKING),
            (Self::Bindings, true) => hash(name, HASH),
            (Self::Work, true) => name.starts_with("run-"),
            (Self::Verdicts, false) => hash(name, HASH) || is_temporary(name),
            (Self::Compiled, false) => code(name) || name == "functions.bin" || is_temporary(name),
            _ => false,
        }
    }
}

fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY).is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// One thing in the cache.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Its name in the folder of its kind.
    pub name: String,
    /// Where it stands.
    pub path: PathBuf,
    /// Bytes that its removal would free: files that the toolchain shares are not counted.
    pub bytes: u64,
    /// An SDK's last use; of everything else, when it was written.
    pub used: SystemTime,
}

impl Item {
    /// How long it has not been used, or when it was written.
    pub fn age(&self) -> Duration {
        SystemTime::now()
            .duration_since(self.used)
            .unwrap_or_default()
    }
}

/// What is to be removed.
#[derive(Clone, Debug)]
pub struct Selection {
    /// These kinds.
    pub kinds: Vec<Kind>,
    /// Only what is older.
    pub older_than: Duration,
}

/// What came of a removal.
#[derive(Debug, Default)]
pub struct Cleaned {
    /// It is gone.
    pub removed: Vec<Item>,
    /// A running process uses it.
    pub in_use: Vec<Item>,
    /// It could not be removed, and why.
    pub failed: Vec<(Item, io::Error)>,
    /// Folders of kinds that are symbolic links: what they lead to is not the cache's, so nothing there is touched.
    pub linked: Vec<PathBuf>,
}

/// Everything in a cache, kind by kind, by name. A folder that does not exist has nothing.
///
/// # Errors
/// When the folder is no cache, or can't be read.
pub fn list(cache: &Path) -> Result<Vec<Item>, ToolchainError> {
    is_cache(cache)?;
    let mut items = Vec::new();
    for kind in Kind::ALL {
        let folder = cache.join(kind.name());
        // A link leads out of the cache.
        if !is_folder(&folder) {
            continue;
        }
        let unreadable = |source| ToolchainError::CacheUnreadable {
            folder: folder.clone(),
            source,
        };
        let mut found = Vec::new();
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // What vanishes meanwhile is not there.
            let Ok(metadata) = fs::symlink_metadata(entry.path()) else {
                continue;
            };
            if metadata.is_symlink() || !kind.owns(&name, metadata.is_dir()) {
                continue;
            }
            found.push(Item {
                kind,
                bytes: freed(&entry.path(), &metadata),
                used: used(&folder, kind, &name, &metadata),
                path: entry.path(),
                name,
            });
        }
        found.sort_by(|one, other| one.name.cmp(&other.name));
        items.append(&mut found);
    }
    Ok(items)
}

/// Removes what is selected and not in use.
///
/// # Errors
/// As [`list`]; what can't be removed stands in the result.
pub fn clean(cache: &Path, selection: &Selection) -> Result<Cleaned, ToolchainError> {
    let mut cleaned = Cleaned::default();
    let items = list(cache)?;
    let folders = selection.kinds.iter().map(|kind| cache.join(kind.name()));
    cleaned.linked = folders.filter(|folder| folder.is_symlink()).collect();
    // Held until the end: a process that starts now waits that long.
    let bindings = free_bindings(cache);
    // Looked at behind the list: whoever makes an SDK has taken the lock before there is a folder.
    let making = sdk_being_made(cache);
    for item in items {
        if !selection.kinds.contains(&item.kind) || item.age() < selection.older_than {
            continue;
        }
        let removed = match item.kind {
            Kind::Sdk if item.name.starts_with(retire::IN_THE_MAKING) => {
                (!making).then(|| fs::remove_dir_all(&item.path))
            }
            Kind::Sdk => retire::unless_used(&cache.join(Kind::Sdk.name()), &item.name, || {
                fs::remove_dir_all(&item.path)
            }),
            Kind::Bindings => bindings.is_some().then(|| fs::remove_dir_all(&item.path)),
            Kind::Work => remove_abandoned(&item.path),
            Kind::Verdicts | Kind::Compiled
                if is_temporary(&item.name) && item.age() < GIVEN_UP =>
            {
                None
            }
            Kind::Verdicts | Kind::Compiled => Some(fs::remove_file(&item.path)),
        };
        match removed {
            None => cleaned.in_use.push(item),
            Some(Ok(())) => cleaned.removed.push(item),
            // Another process was faster.
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => {}
            Some(Err(error)) => cleaned.failed.push((item, error)),
        }
    }
    Ok(cleaned)
}

/// Notes that this process may use any of the bindings in `folder`, as long as the file is open. A cache that can't be
/// written has no lock, and nobody can clean it.
pub(crate) fn hold_bindings(folder: &Path) -> Option<Arc<File>> {
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join(BINDINGS_LOCK))
        .ok()?;
    lock.lock_shared().ok()?;
    Some(Arc::new(lock))
}

/// Removes the work folders of dead runs. What can't be removed now is left for the next run.
pub(crate) fn remove_leftovers(work: &Path) {
    for entry in fs::read_dir(work).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if Kind::Work.owns(&name.to_string_lossy(), true) && is_folder(&entry.path()) {
            let _ = remove_abandoned(&entry.path());
        }
    }
}

/// Removes the work folder of a run that is over; `None` when it is not. A process that was killed cannot clean up, but
/// the kernel frees its lock. The lock is held until the folder is gone: whoever was about to take it makes another.
fn remove_abandoned(run: &Path) -> Option<io::Result<()>> {
    let lock = match File::open(run.join(RUN_LOCK)) {
        Ok(lock) => {
            lock.try_lock().ok()?;
            Some(lock)
        }
        Err(_) if older(run, SETTLED) => None,
        Err(_) => return None,
    };
    let removed = fs::remove_dir_all(run);
    drop(lock);
    Some(removed)
}

/// Whether a folder stands here itself, and no link to one.
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn free_bindings(cache: &Path) -> Option<File> {
    let folder = cache.join(Kind::Bindings.name());
    if !is_folder(&folder) {
        return None;
    }
    let lock = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(folder.join(BINDINGS_LOCK))
        .ok()?;
    lock.try_lock().ok()?;
    Some(lock)
}

fn sdk_being_made(cache: &Path) -> bool {
    let folder = cache.join(Kind::Sdk.name());
    if !is_folder(&folder) {
        return false;
    }
    let entries = fs::read_dir(folder);
    entries.into_iter().flatten().flatten().any(|entry| {
        entry.file_name().to_string_lossy().ends_with(".lock")
            && File::open(entry.path()).is_ok_and(|lock| lock.try_lock().is_err())
    })
}

/// A folder is a cache when its tag says so, or when it has nothing but what caches have.
fn is_cache(folder: &Path) -> Result<(), ToolchainError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => {
            return Err(ToolchainError::CacheUnreadable {
                folder: folder.to_owned(),
                source,
            });
        }
    };
    if fs::read_to_string(folder.join(TAG)).is_ok_and(|text| text == TAG_TEXT) {
        return Ok(());
    }
    let known = |name: &str| Kind::ALL.iter().any(|kind| kind.name() == name);
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    match names.into_iter().find(|name| !known(name)) {
        None => Ok(()),
        Some(found) => Err(ToolchainError::NotACache {
            folder: folder.to_owned(),
            found,
        }),
    }
}

fn used(folder: &Path, kind: Kind, name: &str, metadata: &Metadata) -> SystemTime {
    let last = match kind {
        Kind::Sdk => retire::last_use(folder, name),
        _ => None,
    };
    last.or_else(|| metadata.modified().ok())
        .unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Bytes that removing this would free. Links are not followed.
fn freed(path: &Path, metadata: &Metadata) -> u64 {
    if !metadata.is_dir() {
        return if metadata.nlink() > 1 {
            0
        } else {
            metadata.len()
        };
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let path = entry.path();
            fs::symlink_metadata(&path)
                .ok()
                .map(|metadata| freed(&path, &metadata))
        })
        .sum()
}

pub(super) fn older(path: &Path, than: Duration) -> bool {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|modified| SystemTime::now().duration_since(modified).ok())
        .is_some_and(|age| age > than)
}

#[cfg(test)]
mod tests;
