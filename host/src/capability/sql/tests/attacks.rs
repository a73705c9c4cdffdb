//! Statements that try to leave what is granted: each is refused or does no harm, and what is not granted stays as it is.

use std::collections::BTreeSet;
use std::fs;

use super::*;

/// Each is refused, whatever it is given to.
const REFUSED: &[&str] = &[
    // The table itself, in every spelling.
    "SELECT * FROM secret",
    "SELECT * FROM SECRET",
    "SELECT * FROM main.secret",
    "SELECT * FROM \"secret\"",
    "SELECT * FROM [secret]",
    "SELECT * FROM `SeCrEt`",
    "SELECT count(*) FROM secret",
    "SELECT 1 FROM secret",
    "SELECT rowid FROM secret",
    "SELECT max(_rowid_), oid FROM secret",
    "TABLE secret",
    "SELECT word FROM secret INDEXED BY by_word",
    // Behind something that is granted.
    "SELECT id FROM orders UNION SELECT word FROM secret",
    "SELECT id FROM orders UNION ALL SELECT id FROM secret ORDER BY 1",
    "SELECT id FROM orders EXCEPT SELECT word FROM secret",
    "SELECT (SELECT word FROM secret) FROM orders",
    "SELECT id FROM orders WHERE EXISTS (SELECT 1 FROM secret)",
    "SELECT id FROM orders WHERE customer IN secret",
    "SELECT id FROM orders WHERE customer IN (SELECT word FROM secret)",
    "SELECT o.id FROM orders o, secret s",
    "SELECT o.id FROM orders o JOIN secret USING (id)",
    "SELECT o.id FROM orders o LEFT JOIN secret s ON s.id = o.id",
    "SELECT o.id FROM orders o NATURAL JOIN secret",
    "SELECT id FROM orders ORDER BY (SELECT word FROM secret)",
    "SELECT id FROM orders GROUP BY id HAVING (SELECT count(*) FROM secret) > 0",
    "SELECT id FROM orders LIMIT (SELECT count(*) FROM secret)",
    "SELECT sum(total) OVER (ORDER BY (SELECT word FROM secret)) FROM orders",
    "SELECT * FROM (SELECT * FROM (SELECT word FROM secret))",
    "VALUES ((SELECT word FROM secret))",
    "SELECT CASE WHEN (SELECT word FROM secret) LIKE 'c%' THEN 1 ELSE 0 END",
    // A subquery that is called like what is granted.
    "WITH orders AS (SELECT word FROM secret) SELECT * FROM orders",
    "WITH large AS (SELECT word FROM secret) SELECT * FROM large",
    "WITH leak AS (SELECT word FROM secret) SELECT count(*) FROM leak",
    "WITH x AS (SELECT 1 FROM secret) SELECT count(*) FROM x",
    "WITH secret AS (SELECT 1 AS n) SELECT count(*) FROM secret",
    "WITH x AS MATERIALIZED (SELECT word FROM secret) SELECT * FROM x",
    "WITH RECURSIVE r(w) AS (SELECT word FROM secret UNION SELECT w || 'x' FROM r LIMIT 3) SELECT * FROM r",
    "SELECT * FROM (SELECT word FROM secret) AS orders",
    // Views and triggers that reach further than they are granted, though they are granted themselves.
    "SELECT * FROM leak",
    "SELECT count(*) FROM leak",
    "SELECT * FROM nested",
    "SELECT id FROM mixed",
    "INSERT INTO leak VALUES ('x')",
    "INSERT INTO tripwire VALUES (1, 'x')",
    "INSERT INTO tripwire VALUES (1, 'x') RETURNING *",
    // Foreign keys tell what is there.
    "INSERT INTO child VALUES (1, 1)",
    "INSERT INTO child VALUES (1, 77)",
    "UPDATE child SET secret_id = 2",
    // What the database consists of.
    "SELECT * FROM sqlite_master",
    "SELECT sql FROM sqlite_schema",
    "SELECT count(*) FROM sqlite_schema",
    "SELECT count(*) FROM SQLITE_MASTER",
    "SELECT * FROM sqlite_temp_master",
    "SELECT count(*) FROM sqlite_temp_schema",
    "SELECT * FROM sqlite_sequence",
    "SELECT count(*) FROM sqlite_sequence",
    "SELECT * FROM sqlite_stat1",
    "SELECT * FROM sqlite_dbpage",
    "SELECT * FROM dbstat",
    "SELECT * FROM pragma_table_info('secret')",
    "SELECT * FROM pragma_table_list",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_function_list",
    "SELECT * FROM pragma_compile_options",
    "SELECT count(*) FROM pragma_database_list",
    "PRAGMA table_info(secret)",
    "PRAGMA database_list",
    "PRAGMA writable_schema = ON",
    "PRAGMA query_only = OFF",
    "PRAGMA trusted_schema = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA journal_mode = OFF",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 1000",
    "PRAGMA case_sensitive_like = ON",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA user_version = 7",
    "PRAGMA data_version",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA integrity_check",
    "PRAGMA optimize",
    "PRAGMA incremental_vacuum",
    "EXPLAIN SELECT * FROM orders",
    "EXPLAIN QUERY PLAN SELECT * FROM orders",
    "EXPLAIN SELECT * FROM secret",
    // Other files.
    "ATTACH DATABASE 'other.db' AS other",
    "ATTACH ':memory:' AS m",
    "ATTACH 'file:other.db?mode=rwc' AS other",
    "ATTACH (SELECT customer FROM orders) AS other",
    "DETACH DATABASE main",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "VACUUM main INTO 'copy.db'",
    "SELECT load_extension('evil.so')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('out.txt', 'x')",
    "SELECT edit('x', 'sh')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT fts3_tokenizer('simple', x'0000000000000000')",
    "SELECT sqlite_log(1, 'x')",
    "SELECT sqlite_version()",
    "SELECT sqlite_source_id()",
    "SELECT sqlite_compileoption_get(0)",
    "SELECT random()",
    "SELECT hex(randomblob(16))",
    "SELECT id FROM orders ORDER BY random()",
    "SELECT last_insert_rowid()",
    "SELECT changes(), total_changes()",
    "SELECT sqlite_offset(id) FROM orders",
    "SELECT id FROM orders WHERE customer REGEXP '.*'",
    "SELECT id FROM orders WHERE customer MATCH 'x'",
    // Virtual tables.
    "SELECT * FROM docs",
    "SELECT * FROM docs WHERE docs MATCH 'canary'",
    "SELECT * FROM docs_content",
    "INSERT INTO docs(docs) VALUES ('optimize')",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM generate_series(1, 3)",
    "CREATE VIRTUAL TABLE v USING fts5 (x)",
    "CREATE VIRTUAL TABLE temp.v USING rtree (a, b, c)",
    // How the database is made.
    "CREATE TABLE t (x)",
    "CREATE TABLE t AS SELECT * FROM secret",
    "CREATE TEMP TABLE t AS SELECT * FROM secret",
    "CREATE TEMP VIEW orders AS SELECT * FROM secret",
    "CREATE VIEW v AS SELECT * FROM secret",
    "CREATE INDEX i ON orders (total)",
    "CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM secret; END",
    "CREATE TEMP TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM secret; END",
    "ALTER TABLE orders RENAME TO secret2",
    "ALTER TABLE secret RENAME TO items2",
    "ALTER TABLE orders ADD COLUMN x DEFAULT 1",
    "ALTER TABLE orders DROP COLUMN total",
    "DROP TABLE orders",
    "DROP TABLE IF EXISTS secret",
    "DROP VIEW large",
    "DROP TRIGGER trip",
    "DROP INDEX by_word",
    "REINDEX",
    "REINDEX secret",
    "ANALYZE",
    "ANALYZE orders",
    // Changing what is not granted.
    "INSERT INTO secret VALUES (9, 'x')",
    "REPLACE INTO secret VALUES (1, 'x')",
    "UPDATE secret SET word = 'x'",
    "DELETE FROM secret",
    "DELETE FROM secret WHERE id = 1 RETURNING word",
    "UPDATE sqlite_master SET sql = ''",
    "DELETE FROM sqlite_sequence",
    "INSERT INTO sqlite_stat1 VALUES ('a', 'b', 'c')",
    "INSERT INTO orders SELECT id + 10, word, 1 FROM secret",
    "INSERT INTO orders VALUES (9, (SELECT word FROM secret), 1)",
    "INSERT INTO orders VALUES (9, 'x', 1) RETURNING (SELECT word FROM secret)",
    "UPDATE orders SET customer = (SELECT word FROM secret)",
    "UPDATE orders SET customer = s.word FROM secret s WHERE s.id = orders.id",
    "DELETE FROM orders WHERE id IN (SELECT id FROM secret)",
    "INSERT INTO orders VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET customer = (SELECT word FROM secret)",
    // Transactions.
    "BEGIN",
    "BEGIN EXCLUSIVE",
    "COMMIT",
    "END",
    "ROLLBACK",
    "SAVEPOINT s",
    "RELEASE s",
    "ROLLBACK TO s",
    // More than one statement, and none.
    "SELECT 1; SELECT * FROM secret",
    "SELECT 1; DROP TABLE secret",
    "SELECT 1;DROP TABLE secret;--",
    "UPDATE orders SET total = 1; UPDATE secret SET word = 'x'",
    "; DROP TABLE secret",
    "SELECT 1\0; DROP TABLE secret",
    "",
    " -- nothing\n",
    "/* DROP TABLE secret */",
    "SELECT",
    "SELEC * FROM orders",
    "\u{feff}\u{feff}DROP TABLE secret",
    // Parameters where none can stand.
    "SELECT * FROM ?",
    "SELECT ?",
    "SELECT ?2",
    "SELECT ?99999",
    "SELECT :a + @b + $c",
    // Texts in double quotes are names.
    "SELECT \"no such column\" FROM orders",
];

/// Each may be done, and tells nothing.
const HARMLESS: &[&str] = &[
    "SELECT 'canary' || '-x'",
    "SELECT id FROM orders /* FROM secret */ -- secret",
    "SELECT 'secret' FROM orders",
    "SELECT id AS secret FROM orders",
    "SELECT date('now'), CURRENT_TIMESTAMP",
    "WITH recent AS (SELECT id FROM orders) SELECT count(*) FROM recent",
    "INSERT INTO counted (name) VALUES ('x')",
    "INSERT OR ROLLBACK INTO orders VALUES (1, 'x', 1)",
    "INSERT OR REPLACE INTO items VALUES (1, 1, 'x', NULL)",
    "UPDATE orders SET id = id + 100",
    "DELETE FROM items",
    "SELECT id FROM orders LIMIT -1 OFFSET -1",
];

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
            for (statement, refused) in (REFUSED.iter().map(|statement| (statement, true)))
                .chain(HARMLESS.iter().map(|statement| (statement, false)))
            {
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
    assert!(REFUSED.len() > 150);
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
    let mut link = granted.database.open(false).unwrap();
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
    assert_eq!(said("secret"), said("nothing"));
    assert_eq!(
        said("nothing"),
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
