//! Grants on files that hold data: `lacuna:kv` and `lacuna:sql`.
#![expect(
    clippy::disallowed_methods,
    reason = "looks at the files that grants name"
)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, OpenFlags};

use super::Provider;
use crate::error::Fault;
use crate::plan::Import;
use crate::plan::manifest::{GrantConfig, Spanned};

/// `max-keys`, `max-bytes` and `max-rows` when the grant does not say.
const MAX_KEYS: u64 = 10_000;
const MAX_BYTES: u64 = 64 << 20;
const MAX_ROWS: u64 = 10_000;

/// Longest `prefix`, bytes.
const LONGEST_PREFIX: usize = 1024;

/// One key-value store.
#[derive(Clone, Debug)]
pub struct KvGrant {
    /// The file: its folder is there, by its canonical path; the file itself may come into being.
    pub file: PathBuf,
    /// Begins every key that can be reached, and is not seen by the hole.
    pub prefix: String,
    /// Most keys under the prefix.
    pub max_keys: u64,
    /// Most bytes of them (the prefix not counted) and their values.
    pub max_bytes: u64,
}

/// Some tables of one SQLite database.
#[derive(Clone, Debug)]
pub struct SqlGrant {
    /// Canonical path of the file; it is there.
    pub file: PathBuf,
    /// Names of tables and views, as the database spells them.
    pub tables: Vec<String>,
    /// Whether rows may be changed.
    pub write: bool,
    /// Most rows that a query gives or a statement changes.
    pub max_rows: u64,
}

/// The grant of `lacuna:kv/read` or `lacuna:kv/write`.
pub(super) fn kv(folder: &Path, config: &GrantConfig) -> Result<Provider, Fault> {
    let given = file(config)?;
    let (path, _) = regular(folder, given)?;
    let prefix = match &config.prefix {
        Some(prefix) if prefix.value.len() > LONGEST_PREFIX => {
            return Err(Fault::new(format!(
                "`prefix` has {} bytes, at most {LONGEST_PREFIX} are possible",
                prefix.value.len()
            ))
            .at(prefix.place.clone()));
        }
        Some(prefix) => prefix.value.clone(),
        None => String::new(),
    };
    Ok(Provider::Kv(KvGrant {
        file: path,
        prefix,
        max_keys: number(config.max_keys.as_ref(), MAX_KEYS),
        max_bytes: number(config.max_bytes.as_ref(), MAX_BYTES),
    }))
}

/// The grant of `lacuna:sql/read` or `lacuna:sql/write`.
pub(super) fn sql(
    folder: &Path,
    import: &Import,
    config: &GrantConfig,
    writes: bool,
) -> Result<Provider, Fault> {
    let given = file(config)?;
    let (path, there) = regular(folder, given)?;
    if !there {
        return Err(about(folder, "does not exist", given));
    }
    let write = config.write.as_ref();
    match write {
        Some(write) if write.value && !writes => {
            return Err(Fault::new(format!("`{}` only reads", import.name))
                .at(write.place.clone())
                .hint("remove `write`; rows are changed through `lacuna:sql/write`"));
        }
        Some(write) if !write.value && writes => {
            return Err(needs_write(import).at(write.place.clone()));
        }
        None if writes => return Err(needs_write(import).at(config.place.clone())),
        _ => {}
    }
    let Some(tables) = config.tables.as_ref().filter(|tables| !tables.is_empty()) else {
        return Err(Fault::new("a grant on a database needs `tables`")
            .at(config.place.clone())
            .hint("name the tables and views that the hole may use: `tables = [\"TABLE\"]`"));
    };
    let mut database = Schema::open(&path).map_err(|reason| about(folder, &reason, given))?;
    Ok(Provider::Sql(SqlGrant {
        tables: database.granted(tables)?,
        file: path,
        write: writes,
        max_rows: number(config.max_rows.as_ref(), MAX_ROWS),
    }))
}

fn needs_write(import: &Import) -> Fault {
    Fault::new(format!(
        "`{}` changes rows, and the grant does not allow it",
        import.name
    ))
    .hint("write `write = true` if this is wanted")
}

fn number(given: Option<&Spanned<u64>>, default: u64) -> u64 {
    given.map_or(default, |given| given.value)
}

fn file(config: &GrantConfig) -> Result<&Spanned<String>, Fault> {
    config.file.as_ref().ok_or_else(|| {
        Fault::new("the grant needs `file`")
            .at(config.place.clone())
            .hint("write `file = \"FILE\"`, relative to the folder of lacuna.toml")
    })
}

/// The path of a regular file in a folder that is there, and whether the file is. A link is refused even if it leads to a
/// file: whoever can write the folder could let it lead elsewhere.
fn regular(folder: &Path, given: &Spanned<String>) -> Result<(PathBuf, bool), Fault> {
    let full = folder.join(&given.value);
    let refuse = |reason: &str| about(folder, reason, given);
    let (Some(parent), Some(name)) = (full.parent(), full.file_name()) else {
        return Err(refuse("is no file"));
    };
    let parent = parent.canonicalize().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refuse("stands in a folder that does not exist"),
        _ => refuse(&format!("cannot be reached: {error}")),
    })?;
    let path = parent.join(name);
    match std::fs::symlink_metadata(&path) {
        Ok(found) if found.is_file() => Ok((path, true)),
        Ok(found) if found.is_symlink() => {
            Err(refuse("is a link").hint("name the file that it leads to"))
        }
        Ok(_) => Err(refuse("is no regular file")),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((path, false)),
        Err(error) => Err(refuse(&format!("cannot be reached: {error}"))),
    }
}

fn about(folder: &Path, reason: &str, given: &Spanned<String>) -> Fault {
    let file = folder.join(&given.value);
    Fault::new(format!("the granted file `{}` {reason}", file.display())).at(given.place.clone())
}

/// What a database consists of.
struct Schema {
    connection: Connection,
    /// Name and what it is.
    names: Vec<(String, Kind)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Table,
    View,
    Special,
}

impl Schema {
    /// Reads it, and nothing else.
    fn open(path: &Path) -> Result<Self, String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let read = || {
            let connection = Connection::open_with_flags(path, flags)?;
            let mut statement = connection.prepare(
                "SELECT name, type, rootpage = 0 FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name",
            )?;
            let found = statement.query_map([], |row| {
                let name: String = row.get(0)?;
                let kind: String = row.get(1)?;
                let kind = match kind.as_str() {
                    _ if name.to_ascii_lowercase().starts_with("sqlite_") => Kind::Special,
                    "view" => Kind::View,
                    // A virtual table has no page of its own.
                    _ if row.get(2)? => Kind::Special,
                    _ => Kind::Table,
                };
                Ok((name, kind))
            })?;
            let names = found.collect::<rusqlite::Result<Vec<_>>>()?;
            drop(statement);
            Ok((connection, names))
        };
        match read() {
            Ok((connection, names)) => Ok(Self { connection, names }),
            Err(error) => Err(reason(&error)),
        }
    }

    /// The granted names, as the database spells them.
    fn granted(&mut self, tables: &[Spanned<String>]) -> Result<Vec<String>, Fault> {
        let mut granted: Vec<String> = Vec::new();
        let mut faults = Vec::new();
        for table in tables {
            match self.find(&table.value) {
                Some((name, Kind::Special)) => faults.push(
                    Fault::new(format!(
                        "`{name}` is a virtual table or one of SQLite's own, which cannot be granted"
                    ))
                    .at(table.place.clone()),
                ),
                Some((name, _)) if granted.contains(name) => {}
                Some((name, _)) => granted.push(name.clone()),
                None => {
                    let known = (self.names.iter())
                        .filter(|(_, kind)| *kind != Kind::Special)
                        .map(|(name, _)| name.as_str());
                    faults.push(
                        Fault::new(format!("the database has no table `{}`", table.value))
                            .at(table.place.clone())
                            .did_you_mean(&table.value, known),
                    );
                }
            }
        }
        if faults.is_empty() {
            for table in tables {
                faults.extend(self.view_out_of_reach(table, &granted));
            }
        }
        Fault::several(faults).map_or(Ok(granted), Err)
    }

    fn find(&self, name: &str) -> Option<&(String, Kind)> {
        (self.names.iter()).find(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// A view gives what it reads: where one of its tables is not granted no statement could use it.
    fn view_out_of_reach(&mut self, table: &Spanned<String>, granted: &[String]) -> Option<Fault> {
        let (name, Kind::View) = self.find(&table.value)?.clone() else {
            return None;
        };
        let read = self.read_by(&name);
        let missing = read.iter().find(|read| {
            !granted
                .iter()
                .any(|granted| granted.eq_ignore_ascii_case(read))
        })?;
        Some(
            Fault::new(format!(
                "the view `{name}` reads `{missing}`, which is not granted"
            ))
            .at(table.place.clone())
            .hint(format!("add \"{missing}\" to `tables`, or remove the view")),
        )
    }

    /// The tables and views that a view reads, itself among them, as SQLite tells while it compiles a query.
    fn read_by(&mut self, view: &str) -> BTreeSet<String> {
        let read = Arc::new(Mutex::new(BTreeSet::new()));
        let seen = Arc::clone(&read);
        let look = move |context: AuthContext<'_>| {
            if let AuthAction::Read { table_name, .. } = context.action {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                seen.insert(table_name.to_owned());
            }
            Authorization::Allow
        };
        if self.connection.authorizer(Some(look)).is_ok() {
            let quoted = view.replace('"', "\"\"");
            // A view that cannot be compiled fails when it is used.
            let _ = self
                .connection
                .prepare(&format!("SELECT * FROM \"{quoted}\""));
        }
        let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *read)
            .into_iter()
            .filter(|name| self.find(name).is_some())
            .collect()
    }
}

/// Why SQLite cannot read a file.
fn reason(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode as Code;
    match error.sqlite_error_code() {
        Some(Code::NotADatabase | Code::DatabaseCorrupt) => {
            "is no SQLite database, or damaged".to_owned()
        }
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
            "is locked by another program".to_owned()
        }
        // The words of SQLite have no path in them.
        _ => format!("cannot be read: {error}"),
    }
}

#[cfg(test)]
mod tests;
