//! Statements on a real database.

mod attacks;
mod bombs;
mod files;
mod values;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::types::{Refusal, Rows, SqlError, Value};
use super::{Granted, State};
use crate::capability::call::Bounds;
use crate::capability::outcome::LimitHit;
use crate::grant::SqlGrant;

/// What must never reach a guest.
const CANARY: &str = "canary-7f3a";

/// Two tables that are granted, one that is not, and what could lead from one to the other.
const SCHEMA: &str = "
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL, UNIQUE (customer, total));
CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, name TEXT CHECK (length(name) < 50), data BLOB);
CREATE TABLE secret (id INTEGER PRIMARY KEY, word TEXT);
CREATE TABLE child (id INTEGER PRIMARY KEY, secret_id INTEGER REFERENCES secret (id));
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
CREATE TABLE tripwire (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE log (word TEXT);
CREATE VIEW large AS SELECT id, customer FROM orders WHERE total >= 100;
CREATE VIEW leak AS SELECT word FROM secret;
CREATE VIEW nested AS SELECT word AS customer FROM leak;
CREATE VIEW mixed AS SELECT o.id, (SELECT word FROM secret) AS word FROM orders o;
CREATE TRIGGER trip AFTER INSERT ON tripwire BEGIN INSERT INTO log SELECT word FROM secret; END;
CREATE TRIGGER through INSTEAD OF INSERT ON leak BEGIN INSERT INTO secret (word) VALUES (new.word); END;
CREATE VIRTUAL TABLE docs USING fts5 (body);
CREATE INDEX by_word ON secret (word);
INSERT INTO orders VALUES (1, 'Ada', 120.5), (2, 'Bo', 20.0), (3, 'Ada', 300.0);
INSERT INTO items VALUES (1, 1, 'pen', x'00ff'), (2, 1, 'ink', NULL), (3, 3, 'pad', x'');
INSERT INTO secret VALUES (1, 'canary-7f3a'), (2, 'canary-7f3a two');
INSERT INTO docs VALUES ('canary-7f3a');
";

fn bounds() -> Bounds {
    Bounds::new(1000, 8 << 20)
}

/// The database of [`SCHEMA`] in a fresh folder.
fn database() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().canonicalize().unwrap().join("shop.db");
    Connection::open(&file)
        .unwrap()
        .execute_batch(SCHEMA)
        .unwrap();
    (folder, file)
}

fn grant(file: &Path, tables: &[&str], write: bool) -> SqlGrant {
    SqlGrant {
        file: file.to_owned(),
        tables: tables.iter().map(|table| (*table).to_owned()).collect(),
        write,
        max_rows: 1000,
    }
}

fn open(file: &Path, tables: &[&str], write: bool) -> Granted {
    Granted::new(&grant(file, tables, write), &State::default()).unwrap()
}

#[track_caller]
fn error<T: std::fmt::Debug>(result: Result<T, Refusal>) -> SqlError {
    match result {
        Err(Refusal::Error(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn hit<T: std::fmt::Debug>(result: Result<T, Refusal>) -> LimitHit {
    match result {
        Err(Refusal::Limit(hit)) => hit,
        other => panic!("{other:?}"),
    }
}

/// The first column as text, by SQLite alone.
fn column(file: &Path, query: &str) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}
