//! Key-value stores and databases that a test or a case starts from, made from texts that can be read.

use std::fs;
use std::path::Path;

use redb::{Database, TableDefinition};

/// The one table of a store, as `lacuna:kv` has it.
pub(crate) const KV: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("kv");

/// Copies a case's folder and makes its stores: `NAME.db.sql` are the statements that make `NAME.db`, `NAME.redb.toml` the
/// keys and texts of `NAME.redb`.
pub(crate) fn copied(case: &Path, into: &Path) {
    for entry in fs::read_dir(case).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(database) = name.strip_suffix(".sql") {
            let statements = fs::read_to_string(entry.path()).unwrap();
            make_database(&into.join(database), &statements);
        } else if let Some(store) = name.strip_suffix(".redb.toml") {
            let text = fs::read_to_string(entry.path()).unwrap();
            let entries: toml::Table = toml::from_str(&text).unwrap();
            let entries = entries
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str().unwrap()));
            make_store(&into.join(format!("{store}.redb")), entries);
        } else if entry.path().is_file() {
            fs::copy(entry.path(), into.join(name)).unwrap();
        }
    }
}

/// A new database.
pub(crate) fn make_database(file: &Path, statements: &str) {
    let connection = rusqlite::Connection::open(file).unwrap();
    connection.execute_batch(statements).unwrap();
}

/// A new store.
pub(crate) fn make_store<'a>(file: &Path, entries: impl IntoIterator<Item = (&'a str, &'a str)>) {
    let database = Database::create(file).unwrap();
    let transaction = database.begin_write().unwrap();
    {
        let mut table = transaction.open_table(KV).unwrap();
        for (key, value) in entries {
            table.insert(key.as_bytes(), value.as_bytes()).unwrap();
        }
    }
    transaction.commit().unwrap();
}
