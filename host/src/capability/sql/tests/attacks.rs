//! Statements that try to leave what is granted: each is refused or does no harm, and what is not granted stays as it is.

use std::collections::BTreeSet;
use std::fs;

use super::*;

/// A section of each: what is refused, and what may be done.
const TABLE: &str = include_str!("../../../../../tests/stores/attacks.txt");

/// What stands on no line of its own there.
const MORE_REFUSED: &[&str] = &[
    "SELECT 1\0; DROP TABLE secret",
    "",
    " -- nothing\n",
    "\u{feff}\u{feff}DROP TABLE secret",
    "SELECT 1 --\n; DROP TABLE secret",
];

/// Each statement, and whether it must be refused.
fn attacks() -> Vec<(&'static str, bool)> {
    let mut refused = true;
    let mut all: Vec<_> = MORE_REFUSED
        .iter()
        .map(|statement| (*statement, true))
        .collect();
    for line in TABLE.lines() {
        match line {
            "[refused]" => refused = true,
            "[harmless]" => refused = false,
            _ if line.is_empty() || line.starts_with('#') => {}
            _ => all.push((line, refused)),
        }
    }
    assert!(all.len() > 170, "{} statements", all.len());
    all
}

const GRANTED: &[&str] = &[
    "orders", "items", "large", "leak", "nested", "mixed", "tripwire", "child", "counted", "docs",
];

/// What must stay: everything that is not granted, and what the database consists of.
fn kept(file: &Path) -> Vec<String> {
    let mut kept = column(file, "SELECT id || ':' || word FROM secret ORDER BY id");
    kept.extend(column(file, "SELECT word FROM log"));
    kept.extend(column(
        file,
        "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name",
    ));
    kept.extend(column(file, "SELECT body FROM docs"));
    for pragma in ["user_version", "journal_mode", "encoding"] {
        let connection = Connection::open(file).unwrap();
        let value: rusqlite::types::Value = connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .unwrap();
        kept.push(format!("{pragma}: {value:?}"));
    }
    kept
}

fn names(folder: &Path) -> BTreeSet<String> {
    (fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect()
}

/// What each function says of a statement.
fn everywhere(granted: &Granted, statement: &str) -> [Result<Rows, Refusal>; 3] {
    let changed = |_| Rows::default();
    [
        granted.query(statement, &[], &bounds()),
        granted.execute(statement, &[], &bounds()).map(changed),
        granted.returning(statement, &[], &bounds()),
    ]
}

#[test]
fn nothing_is_reached_that_is_not_granted() {
    for mode in ["DELETE", "WAL"] {
        let (folder, file) = database();
        let other = Connection::open(&file).unwrap();
        other.pragma_update(None, "journal_mode", mode).unwrap();
        drop(other);
        let before = kept(&file);
        let working_folder = names(Path::new("."));
        for write in [false, true] {
            let granted = open(&file, GRANTED, write);
            for (statement, refused) in attacks() {
                for result in everywhere(&granted, statement) {
                    let said = format!("{result:?}");
                    assert!(!said.contains(CANARY), "{statement}: {said}");
                    assert!(!said.contains(folder.path().to_str().unwrap()), "{said}");
                    assert!(!refused || result.is_err(), "{mode} {statement}: {said}");
                }
                assert_eq!(kept(&file), before, "{mode} {write} {statement}");
            }
        }
        let allowed = ["shop.db", "shop.db-shm", "shop.db-wal"].map(str::to_owned);
        assert!(
            names(folder.path()).is_subset(&allowed.into()),
            "{:?}",
            names(folder.path())
        );
        assert_eq!(names(Path::new(".")), working_folder);
    }
}

#[test]
fn a_grant_to_read_changes_nothing() {
    let (_folder, file) = database();
    let before = fs::read(&file).unwrap();
    let granted = open(&file, &["orders", "items"], false);
    for statement in [
        "INSERT INTO orders VALUES (9, 'x', 1)",
        "INSERT INTO orders VALUES (9, 'x', 1) RETURNING id",
        "UPDATE orders SET total = 0",
        "DELETE FROM orders",
        "REPLACE INTO orders VALUES (1, 'x', 1)",
        "WITH x AS (SELECT 1) DELETE FROM orders WHERE id IN (SELECT * FROM x)",
    ] {
        for result in everywhere(&granted, statement) {
            assert!(
                matches!(error(result), SqlError::Denied(_) | SqlError::Other(_)),
                "{statement}"
            );
        }
    }
    drop(granted);
    assert_eq!(fs::read(&file).unwrap(), before);
    // Even if the rules had a gap: the connection itself cannot write.
    let state = State::default();
    let granted = Granted::new(&grant(&file, &["orders"], false), &state).unwrap();
    let link = granted.database.open(false).unwrap();
    let done = link.raw().execute_batch("DELETE FROM orders");
    assert!(done.is_err());
    assert!(link.raw().execute_batch("ATTACH ':memory:' AS m").is_err());
}

#[test]
fn a_table_that_is_not_there_and_one_that_is_not_granted_are_told_alike() {
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], false);
    let said = |name: &str| {
        let result = granted.query(&format!("SELECT * FROM {name}"), &[], &bounds());
        match error(result) {
            SqlError::Denied(text) => text.replace(name, "NAME"),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(said("secret"), said("nowhere"));
    assert_eq!(
        said("nowhere"),
        "no table `NAME` is granted; granted: `orders`, `items`"
    );
}

#[test]
fn a_database_that_changes_is_looked_at_again() {
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], false);
    let count = "SELECT count(*) FROM fresh";
    assert!(granted.query(count, &[], &bounds()).is_err());
    let owner = Connection::open(&file).unwrap();
    // A table of the name that a statement may give to a subquery.
    let with = "WITH fresh AS (SELECT 1 AS n) SELECT count(*) FROM fresh";
    assert!(granted.query(with, &[], &bounds()).is_ok());
    owner.execute_batch("CREATE TABLE fresh (x)").unwrap();
    assert!(matches!(
        error(granted.query(count, &[], &bounds())),
        SqlError::Denied(_)
    ));
    assert!(granted.query(with, &[], &bounds()).is_err());
    // A granted name that becomes something else.
    owner
        .execute_batch("DROP TABLE items; CREATE VIEW items AS SELECT word AS name FROM secret")
        .unwrap();
    assert!(matches!(
        error(granted.query("SELECT name FROM items", &[], &bounds())),
        SqlError::Denied(_)
    ));
    owner
        .execute_batch("DROP VIEW items; CREATE VIRTUAL TABLE items USING fts5 (name)")
        .unwrap();
    assert!(
        granted
            .query("SELECT name FROM items", &[], &bounds())
            .is_err()
    );
    assert!(
        granted
            .query("SELECT count(*) FROM items", &[], &bounds())
            .is_err()
    );
}
