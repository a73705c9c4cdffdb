//! One database: its connections, and the transaction around each statement.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::access::{Access, Judge, Kind, Names};
use super::fault;
use super::statement::{self, Task};
use super::types::{Refusal, Rows, SqlError};
use crate::capability::call::{Bounds, Crossing};

/// Reading connections that are kept for the next call. More are opened when more calls come at once.
const KEPT: usize = 8;

/// Longest time that a statement waits for another program's, and how often it looks.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(2);

/// A database of a session.
#[derive(Debug)]
pub(super) struct Database {
    file: PathBuf,
    /// Device and inode: another file under the same name is another database.
    identity: (u64, u64),
    readers: Mutex<Vec<Link>>,
    /// The one connection that writes.
    writer: Mutex<Option<Link>>,
}

/// A connection and what it knows of the database.
#[derive(Debug)]
pub(super) struct Link {
    connection: Connection,
    /// The number of the schema, and its names.
    names: Option<(i64, Arc<Names>)>,
}

impl Database {
    /// The database in this file; nothing is opened.
    ///
    /// # Errors
    /// Why it cannot be used, in words without the path.
    pub(super) fn new(file: &Path) -> Result<Self, String> {
        Ok(Self {
            file: file.to_owned(),
            identity: identity(file)?,
            readers: Mutex::default(),
            writer: Mutex::default(),
        })
    }

    /// Looks whether it can be used. When it is to be written, what a program left unfinished is undone by that.
    ///
    /// # Errors
    /// Why it cannot be used, in words without the path.
    pub(super) fn look(&self, write: bool) -> Result<(), String> {
        if !write && !lock(&self.readers).is_empty() {
            return Ok(());
        }
        let mut link = self.open(write)?;
        link.names().map_err(|error| words(&error))?;
        if !write {
            lock(&self.readers).push(link);
        } else if let Ok(mut writer) = self.writer.try_lock() {
            writer.get_or_insert(link);
        }
        Ok(())
    }

    /// Whether it is the file at `path`, by whatever name.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        identity(path).is_ok_and(|identity| identity == self.identity)
    }

    /// Runs a statement that reads. What it sees is the database at one moment.
    pub(super) fn read(
        &self,
        access: &Arc<Access>,
        task: Task<'_>,
        bounds: &Bounds,
    ) -> Result<Rows, Refusal> {
        let kept = lock(&self.readers).pop();
        let mut link = match kept {
            Some(link) => link,
            None => self.open(false).map_err(SqlError::Other)?,
        };
        link.wait_for_others(bounds)?;
        let rows = link.transaction("BEGIN", |link, names| {
            let judge = Judge::new(Arc::clone(access), names, task.text);
            statement::run(&mut link.connection, &judge, task, bounds)
        });
        // One that could not end its transaction is closed, which ends it.
        let mut readers = lock(&self.readers);
        if link.connection.is_autocommit() && readers.len() < KEPT {
            readers.push(link);
        }
        rows
    }

    /// Runs a statement that changes rows, as a whole or not at all. One runs at a time.
    pub(super) fn write(
        &self,
        access: &Arc<Access>,
        task: Task<'_>,
        bounds: &Bounds,
    ) -> Result<(Rows, u64), Refusal> {
        let mut writer = self.writer(&|| bounds.abandoned())?;
        let link = match &mut *writer {
            Some(link) => link,
            none => none.insert(self.open(true).map_err(SqlError::Other)?),
        };
        link.wait_for_others(bounds)?;
        let done = link.transaction("BEGIN IMMEDIATE", |link, names| {
            let judge = Judge::new(Arc::clone(access), names, task.text);
            link.change(&judge, task, bounds)
        });
        if !link.connection.is_autocommit() {
            *writer = None;
        }
        done
    }

    /// The place of the connection that writes, when no other statement has it.
    fn writer(
        &self,
        given_up: &dyn Fn() -> bool,
    ) -> Result<MutexGuard<'_, Option<Link>>, SqlError> {
        loop {
            match self.writer.try_lock() {
                Ok(writer) => return Ok(writer),
                Err(TryLockError::Poisoned(poisoned)) => {
                    // Whoever had it failed: with the connection its transaction goes.
                    let mut writer = poisoned.into_inner();
                    *writer = None;
                    self.writer.clear_poison();
                    return Ok(writer);
                }
                Err(TryLockError::WouldBlock) if given_up() => {
                    return Err(SqlError::Other("the call was given up".to_owned()));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK),
            }
        }
    }

    /// A new connection with every defence up.
    pub(super) fn open(&self, write: bool) -> Result<Link, String> {
        let access = if write {
            OpenFlags::SQLITE_OPEN_READ_WRITE
        } else {
            OpenFlags::SQLITE_OPEN_READ_ONLY
        };
        let flags = access
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE
            | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let replaced = || "the file was replaced by another one".to_owned();
        if identity(&self.file)? != self.identity {
            return Err(replaced());
        }
        let connection =
            Connection::open_with_flags(&self.file, flags).map_err(|error| words(&error))?;
        if identity(&self.file)? != self.identity {
            return Err(replaced());
        }
        harden(&connection, write).map_err(|error| words(&error))?;
        Ok(Link {
            connection,
            names: None,
        })
    }
}

/// Device and inode of a regular file.
#[expect(
    clippy::disallowed_methods,
    reason = "looks at the one file that a grant names"
)]
fn identity(file: &Path) -> Result<(u64, u64), String> {
    match std::fs::symlink_metadata(file) {
        Ok(found) if found.is_file() => Ok((found.dev(), found.ino())),
        Ok(_) => Err("it is no regular file".to_owned()),
        Err(error) => Err(error.kind().to_string()),
    }
}

/// What SQLite can be told once and for all. Each of these stands behind the rules of `access`, should they have a gap.
fn harden(connection: &Connection, write: bool) -> rusqlite::Result<()> {
    use DbConfig as Config;
    for (config, value) in [
        (Config::SQLITE_DBCONFIG_DEFENSIVE, true),
        (Config::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (Config::SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
        (Config::SQLITE_DBCONFIG_DQS_DML, false),
        (Config::SQLITE_DBCONFIG_DQS_DDL, false),
        (Config::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        (Config::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (Config::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
    ] {
        connection.set_db_config(config, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 500),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 100),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 100),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 1000),
        (Limit::SQLITE_LIMIT_VDBE_OP, 200_000),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    // In memory: what is sorted and kept in between counts as memory then, and nothing is written beside the database.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // A file that shrinks while it is mapped would end the process.
    connection.pragma_update(None, "mmap_size", 0)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "query_only", !write)
}

#[cfg(test)]
impl Database {
    /// Connections that read and are idle.
    pub(super) fn kept(&self) -> usize {
        lock(&self.readers).len()
    }
}

#[cfg(test)]
impl Link {
    pub(super) fn raw(&self) -> &Connection {
        &self.connection
    }
}

impl Link {
    /// Waits as long as another program has a lock, but no longer than somebody waits for the answer.
    fn wait_for_others(&mut self, bounds: &Bounds) -> Result<(), Refusal> {
        let bounds = bounds.clone();
        let mut since = Instant::now();
        let wait = move |count: i32| {
            if count == 0 {
                since = Instant::now();
            }
            let goes_on = !bounds.abandoned() && since.elapsed() < PATIENCE;
            if goes_on {
                std::thread::sleep(LOOK);
            }
            goes_on
        };
        self.connection
            .busy_handler(Some(wait))
            .map_err(|error| broken(&error))
    }

    /// Does `work` in a transaction, which is ended by COMMIT if it succeeds.
    fn transaction<R>(
        &mut self,
        begin: &str,
        work: impl FnOnce(&mut Self, Arc<Names>) -> Result<R, Refusal>,
    ) -> Result<R, Refusal> {
        self.connection
            .execute_batch(begin)
            .map_err(|error| broken(&error))?;
        let done = match self.names() {
            Ok(names) => work(self, names),
            Err(error) => Err(broken(&error)),
        };
        let done = done.and_then(|value| match self.connection.execute_batch("COMMIT") {
            Ok(()) => Ok(value),
            Err(error) => Err(broken(&error)),
        });
        if done.is_err() && !self.connection.is_autocommit() {
            // If even this fails the caller closes the connection.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }

    /// Runs a statement that changes rows, and counts what it writes.
    fn change(
        &mut self,
        judge: &Judge,
        task: Task<'_>,
        bounds: &Bounds,
    ) -> Result<(Rows, u64), Refusal> {
        let pages = self.number("page_count")?;
        let page = self.number("page_size")?.max(1);
        let room = bounds.room();
        let most = pages
            .saturating_add(room / page)
            .min(u64::from(u32::MAX - 1));
        // SQLite asks for the number at each page that it adds.
        self.connection
            .pragma_update_and_check(None, "max_page_count", most as i64, |_| Ok(()))
            .map_err(|error| broken(&error))?;
        let ran = statement::run(&mut self.connection, judge, task, bounds);
        if ran.is_err() && self.number("page_count").is_ok_and(|now| now >= most) {
            bounds.write(room.saturating_add(1))?;
        }
        let rows = ran?;
        let changed = self.connection.changes();
        let grown = self
            .number("page_count")?
            .saturating_sub(pages)
            .saturating_mul(page);
        let given: u64 = task.parameters.iter().map(Crossing::bytes).sum();
        bounds.write(grown.max(given))?;
        if bounds.abandoned() {
            return Err(SqlError::Other("the call was given up".to_owned()).into());
        }
        Ok((rows, changed))
    }

    fn number(&self, pragma: &str) -> Result<u64, Refusal> {
        self.connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .map_err(|error| broken(&error))
            .map(|number: i64| u64::try_from(number).unwrap_or(0))
    }

    /// The names of the database, read again when somebody changed what it consists of.
    fn names(&mut self) -> rusqlite::Result<Arc<Names>> {
        let version: i64 = self
            .connection
            .pragma_query_value(None, "schema_version", |row| row.get(0))?;
        if let Some((of, names)) = &self.names
            && *of == version
        {
            return Ok(Arc::clone(names));
        }
        let mut statement = self.connection.prepare(
            "SELECT name, type = 'table' AND rootpage = 0 FROM main.sqlite_schema WHERE type IN ('table', 'view')",
        )?;
        let found = statement.query_map([], |row| {
            let name: String = row.get(0)?;
            let name = name.to_ascii_lowercase();
            let special = row.get(1)? || name.starts_with("sqlite_");
            Ok((name, if special { Kind::Special } else { Kind::Plain }))
        })?;
        let names = Arc::new(found.collect::<rusqlite::Result<HashMap<_, _>>>()?);
        drop(statement);
        self.names = Some((version, Arc::clone(&names)));
        Ok(names)
    }
}

/// What a fault outside of the guest's statement is called.
fn broken(error: &rusqlite::Error) -> Refusal {
    let code = error
        .sqlite_error()
        .map(|error| (error.code, error.extended_code));
    let said = match code {
        // A rule that is looked at when the transaction ends.
        Some((ErrorCode::ConstraintViolation, _)) => {
            SqlError::Constraint("FOREIGN KEY constraint failed".to_owned())
        }
        Some((ErrorCode::DiskFull, _)) => SqlError::TooLarge(fault::FULL.to_owned()),
        Some((code, extended)) => fault::plain(code, extended).unwrap_or_else(unusable),
        None => unusable(),
    };
    said.into()
}

fn unusable() -> SqlError {
    SqlError::Other("the database cannot be used".to_owned())
}

fn words(error: &rusqlite::Error) -> String {
    match broken(error) {
        Refusal::Error(SqlError::Other(words) | SqlError::Busy(words)) => words,
        _ => "it cannot be used".to_owned(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
