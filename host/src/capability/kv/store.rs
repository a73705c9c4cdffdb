//! One store: a redb file, opened once in a session, whoever uses it. The only place that knows redb.
//!
//! Three ways in: [`Store::get`], [`Store::range`] and [`Store::change`]. Whatever comes between a hole and the disk one day
//! has to offer just these.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redb::backends::FileBackend;
use redb::{
    Builder, CommitError, Database, DatabaseError, ReadOnlyTable, ReadableDatabase, ReadableTable,
    StorageError, TableDefinition, TableError, TransactionError,
};

use super::file::{self, Identity, Unnamed};
use super::types::{KvError, Refusal};
use crate::capability::call::Bounds;

/// Where the keys stand in the file. Keys are bytes: redb would panic on one that is no UTF-8 if it were told that it is.
const TABLE: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("kv");

/// Pages that are kept in memory for each store, bytes.
const CACHE: usize = 16 << 20;

/// What may be held under a prefix.
#[derive(Clone, Debug)]
pub(super) struct Quota {
    /// Begins each key that counts.
    pub(super) prefix: String,
    /// `max-keys`.
    pub(super) max_keys: u64,
    /// `max-bytes`, of the keys without the prefix, and of the values.
    pub(super) max_bytes: u64,
}

/// What becomes of a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// It stays as it is.
    Keep,
    /// It has this value.
    Set(Vec<u8>),
    /// It is gone.
    Remove,
}

/// Whether a range goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// With the next key.
    Go,
    /// Enough.
    Stop,
}

/// A store of a session.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    /// Nothing as long as nobody made the file, and after a fault of the disk until the next use.
    open: Mutex<Option<Arc<Open>>>,
}

/// The open file.
struct Open {
    database: Database,
    identity: Identity,
    /// What is held, by prefix, as far as somebody wrote under it. It cannot grow old: redb holds a lock on the file.
    held: Mutex<HashMap<String, Held>>,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Open").field(&self.identity).finish()
    }
}

/// What is held under a prefix.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    keys: u64,
    bytes: u64,
}

impl Store {
    /// The store in this file, which is opened now if it is there.
    ///
    /// # Errors
    /// Why it cannot be used, in words without the path.
    pub(super) fn new(path: &Path) -> Result<Self, String> {
        let store = Self {
            path: path.to_owned(),
            open: Mutex::default(),
        };
        store.current()?;
        Ok(store)
    }

    /// Whether it is the file at `path`, by whatever name.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        if self.path == path {
            return true;
        }
        let own = lock(&self.open).as_ref().map(|open| open.identity);
        own.is_some() && file::identity(path).ok().flatten() == own
    }

    /// The value of a key, as `read` takes it.
    pub(super) fn get<R>(
        &self,
        key: &str,
        read: impl FnOnce(&[u8]) -> Result<R, Refusal>,
    ) -> Result<Option<R>, Refusal> {
        self.reading(None, |table| match table.get(key.as_bytes())? {
            Some(value) => Ok(Some(read(value.value())?)),
            None => Ok(None),
        })
    }

    /// Shows the keys that begin with `prefix`, from the key `from` on, in the order of their bytes.
    pub(super) fn range(
        &self,
        prefix: &str,
        from: &str,
        mut each: impl FnMut(&[u8], &[u8]) -> Result<Next, Refusal>,
    ) -> Result<(), Refusal> {
        self.reading((), |table| {
            for item in table.range(from.as_bytes()..)? {
                let (key, value) = item?;
                let key = key.value();
                if !key.starts_with(prefix.as_bytes()) || each(key, value.value())? == Next::Stop {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Changes one key, as `decide` says when it sees the value now. What is decided is on the disk when this returns; an
    /// error changes nothing.
    pub(super) fn change<R>(
        &self,
        key: &str,
        quota: &Quota,
        bounds: &Bounds,
        decide: impl FnOnce(Option<&[u8]>) -> Result<(Change, R), Refusal>,
    ) -> Result<R, Refusal> {
        let open = self.made().map_err(other)?;
        self.contained(&open, || open.change(key, quota, bounds, decide))
    }

    /// Reads the table as it is now; `absent` when there is none.
    fn reading<R>(
        &self,
        absent: R,
        read: impl FnOnce(&ReadOnlyTable<&'static [u8], &'static [u8]>) -> Result<R, Fault>,
    ) -> Result<R, Refusal> {
        let Some(open) = self.current().map_err(other)? else {
            return Ok(absent);
        };
        self.contained(&open, || {
            match open.database.begin_read()?.open_table(TABLE) {
                Ok(table) => read(&table),
                Err(TableError::TableDoesNotExist(_)) => Ok(absent),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Does what may meet a damaged file, for which redb has errors and panics.
    fn contained<R>(
        &self,
        open: &Arc<Open>,
        work: impl FnOnce() -> Result<R, Fault>,
    ) -> Result<R, Refusal> {
        let fault = match catch_unwind(AssertUnwindSafe(work)) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(Fault::Refusal(refusal))) => return Err(refusal),
            Ok(Err(Fault::Store(error))) => words(&error),
            Err(_) => DAMAGED.to_owned(),
        };
        // redb refuses everything after a fault: the next use opens the file again.
        let mut slot = lock(&self.open);
        if slot.as_ref().is_some_and(|now| Arc::ptr_eq(now, open)) {
            *slot = None;
        }
        Err(other(fault))
    }

    /// The open file, if there is one.
    fn current(&self) -> Result<Option<Arc<Open>>, String> {
        let mut slot = lock(&self.open);
        if slot.is_none()
            && file::identity(&self.path)
                .map_err(|error| said(&error))?
                .is_some()
        {
            *slot = Some(Arc::new(Open::new(&self.path)?));
        }
        Ok(slot.clone())
    }

    /// The open file, which is made if there is none.
    fn made(&self) -> Result<Arc<Open>, String> {
        let mut slot = lock(&self.open);
        match &*slot {
            Some(open) => Ok(Arc::clone(open)),
            None => Ok(Arc::clone(slot.insert(Arc::new(Open::new(&self.path)?)))),
        }
    }
}

impl Open {
    fn new(path: &Path) -> Result<Self, String> {
        let told = |error: std::io::Error| said(&error);
        if let Some((file, identity)) = file::open(path).map_err(told)? {
            return Self::of(file, identity);
        }
        let (unnamed, file, identity) = Unnamed::beside(path).map_err(told)?;
        let open = Self::of(file, identity)?;
        if unnamed.name(path).map_err(told)? {
            return Ok(open);
        }
        // Another process made one in between.
        match file::open(path).map_err(told)? {
            Some((file, identity)) => Self::of(file, identity),
            None => Err("it was removed while it was opened".to_owned()),
        }
    }

    /// The store in an open file, made if it is empty.
    fn of(file: File, identity: Identity) -> Result<Self, String> {
        let opened = catch_unwind(AssertUnwindSafe(|| {
            Builder::new()
                .set_cache_size(CACHE)
                // A file that something else changed is found out now, not by a panic in the midst of a run.
                .set_check_integrity_on_open(true)
                .create_with_backend(FileBackend::new(file)?)
        }));
        match opened {
            Ok(Ok(database)) => Ok(Self {
                database,
                identity,
                held: Mutex::default(),
            }),
            Ok(Err(DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch)) => {
                Err("another process has it open".to_owned())
            }
            Ok(Err(error)) => Err(words(&error.into())),
            Err(_) => Err(DAMAGED.to_owned()),
        }
    }

    fn change<R>(
        &self,
        key: &str,
        quota: &Quota,
        bounds: &Bounds,
        decide: impl FnOnce(Option<&[u8]>) -> Result<(Change, R), Refusal>,
    ) -> Result<R, Fault> {
        // Waits for a change that another call is making: they are short.
        let transaction = self.database.begin_write()?;
        let mut held = lock(&self.held);
        let after;
        let answer;
        {
            let mut table = transaction.open_table(TABLE)?;
            if !held.contains_key(&quota.prefix) {
                let counted = count(&table, &quota.prefix, bounds)?;
                held.insert(quota.prefix.clone(), counted);
            }
            let (change, decided, before) = {
                let now = table.get(key.as_bytes())?;
                let now = now.as_ref().map(|value| value.value());
                let (change, decided) = decide(now)?;
                (change, decided, now.map(<[u8]>::len))
            };
            answer = decided;
            let length = match &change {
                Change::Keep => return Ok(answer),
                Change::Set(value) => Some(value.len()),
                Change::Remove => None,
            };
            after = weighed(&held, key, before, length);
            let grows = length > before;
            if grows && let Some(now) = after.iter().find(|(prefix, _)| *prefix == quota.prefix) {
                quota.allows(key, before.is_none(), now.1)?;
            }
            match change {
                Change::Set(value) => drop(table.insert(key.as_bytes(), value.as_slice())?),
                _ => drop(table.remove(key.as_bytes())?),
            }
        }
        transaction.commit()?;
        held.extend(after);
        Ok(answer)
    }
}

impl Quota {
    /// Whether there is room for what would then be held.
    fn allows(&self, key: &str, is_new: bool, then: Held) -> Result<(), KvError> {
        if is_new && then.keys > self.max_keys {
            let at = self.max_keys;
            return Err(KvError::Full(format!("`{key}`: max-keys is {at}")));
        }
        if then.bytes > self.max_bytes {
            let at = self.max_bytes;
            return Err(KvError::Full(format!("`{key}`: max-bytes is {at}")));
        }
        Ok(())
    }
}

/// What is held under each counted prefix of `key` when its value has another length.
fn weighed(
    held: &HashMap<String, Held>,
    key: &str,
    before: Option<usize>,
    after: Option<usize>,
) -> Vec<(String, Held)> {
    let weight =
        |rest: &str, length: Option<usize>| length.map_or(0, |length| (rest.len() + length) as u64);
    let changed = held.iter().filter_map(|(prefix, now)| {
        let rest = key.strip_prefix(prefix.as_str())?;
        let less = |now: u64, gone: u64, come: u64| now.saturating_sub(gone).saturating_add(come);
        let then = Held {
            keys: less(
                now.keys,
                u64::from(before.is_some()),
                u64::from(after.is_some()),
            ),
            bytes: less(now.bytes, weight(rest, before), weight(rest, after)),
        };
        Some((prefix.clone(), then))
    });
    changed.collect()
}

/// What the file holds under a prefix: all of it is looked at, once in a session.
fn count(
    table: &impl ReadableTable<&'static [u8], &'static [u8]>,
    prefix: &str,
    bounds: &Bounds,
) -> Result<Held, Fault> {
    let mut held = Held::default();
    for item in table.range(prefix.as_bytes()..)? {
        let (key, value) = item?;
        let Some(rest) = key.value().strip_prefix(prefix.as_bytes()) else {
            break;
        };
        if bounds.abandoned() {
            return Err(KvError::Other("the call was given up".to_owned()).into());
        }
        held.keys += 1;
        held.bytes += (rest.len() + value.value().len()) as u64;
    }
    Ok(held)
}

/// Why a transaction ends.
enum Fault {
    /// It was not to be.
    Refusal(Refusal),
    /// The file or the disk.
    Store(redb::Error),
}

macro_rules! faults {
    ($($error:ty),+) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::Store(error.into())
            }
        })+
    };
}

faults!(TransactionError, TableError, StorageError, CommitError);

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

impl From<KvError> for Fault {
    fn from(error: KvError) -> Self {
        Self::Refusal(error.into())
    }
}

const DAMAGED: &str = "its file is damaged";

/// What a fault is called. Paths and addresses of pages are nothing for a guest.
fn words(error: &redb::Error) -> String {
    match error {
        redb::Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
            "its file is no redb database, or damaged".to_owned()
        }
        redb::Error::Io(error) => said(error),
        redb::Error::Corrupted(_) | redb::Error::RepairAborted => DAMAGED.to_owned(),
        redb::Error::UpgradeRequired(_) => "its file has an older form of redb".to_owned(),
        redb::Error::TableTypeMismatch { .. }
        | redb::Error::TableIsMultimap(_)
        | redb::Error::TypeDefinitionChanged { .. } => {
            "its file has a table `kv` of another form".to_owned()
        }
        redb::Error::PreviousIo => "an earlier write failed".to_owned(),
        _ => "its file cannot be used".to_owned(),
    }
}

/// What the system said, without a path.
fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::Other | io::ErrorKind::UnexpectedEof => error.to_string(),
        kind => kind.to_string(),
    }
}

fn other(reason: String) -> Refusal {
    KvError::Other(format!("the store cannot be used: {reason}")).into()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
