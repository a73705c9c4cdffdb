//! Grants on stores and databases, as a manifest writes them.

use std::fs;
use std::os::unix::fs::symlink;

use rusqlite::Connection;

use crate::error::render;
use crate::grant::{Granted, Provider, resolve};
use crate::plan;

/// Resolves a hole that imports `db` as this interface, in a folder with a database.
fn resolved(interface: &str, keys: &str) -> Result<Granted, String> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let wit = format!(
        "package t:h;\nworld hole {{ import db: lacuna:{interface}@0.1.0; export run: func(); }}"
    );
    fs::write(at("plan.wit"), wit).unwrap();
    let manifest = format!("schema = 1\n[hole.hole.grant.db]\n{keys}\n");
    fs::write(at("lacuna.toml"), manifest).unwrap();
    fs::create_dir(at("sub")).unwrap();
    fs::write(
        at("text"),
        "no database at all, but long enough to have a header\n".repeat(100),
    )
    .unwrap();
    Connection::open(at("shop.db"))
        .unwrap()
        .execute_batch(
            "CREATE TABLE Orders (id INTEGER PRIMARY KEY, total);
             CREATE TABLE \"odd \"\" name\" (x);
             CREATE TABLE secret (word);
             CREATE VIEW large AS SELECT * FROM orders WHERE total > 9;
             CREATE VIEW leak AS SELECT o.id, s.word FROM orders o, secret s;
             CREATE VIEW counts AS SELECT count(*) FROM secret;
             CREATE VIEW broken AS SELECT * FROM nowhere;
             CREATE VIRTUAL TABLE docs USING fts5 (body);",
        )
        .unwrap();
    symlink(at("shop.db"), at("link.db")).unwrap();
    let plan = plan::load(&at("plan.wit")).map_err(|error| render(&error));
    let clean = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    let plan = plan.map_err(clean)?;
    let hole = plan.hole("hole").unwrap();
    resolve(&plan, hole).map_err(|error| clean(render(&error)))
}

fn provider(granted: Granted) -> Provider {
    let mut grants = granted.grants.into_iter();
    grants
        .find(|grant| !grant.functions.is_empty())
        .unwrap()
        .provider
}

#[test]
fn a_store_may_be_there_or_come() {
    for (keys, prefix, max_keys, max_bytes) in [
        ("file = \"s.redb\"", "", 10_000, 64 << 20),
        (
            "file = \"sub/s.redb\"\nprefix = \"a/\"\nmax-keys = 3\nmax-bytes = \"1KiB\"",
            "a/",
            3,
            1024,
        ),
        ("file = \"text\"\nmax-keys = 0", "", 0, 64 << 20),
    ] {
        for interface in ["kv/read", "kv/write"] {
            let Provider::Kv(kv) = provider(resolved(interface, keys).unwrap()) else {
                panic!("{keys}")
            };
            assert!(kv.file.is_absolute());
            assert_eq!(
                (kv.prefix.as_str(), kv.max_keys, kv.max_bytes),
                (prefix, max_keys, max_bytes)
            );
        }
    }
}

#[test]
fn tables_are_found_in_any_case_and_named_as_they_are() {
    for (interface, keys, tables, write, max_rows) in [
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"orders\"]",
            vec!["Orders"],
            false,
            10_000,
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"ORDERS\", \"Large\"]\nmax-rows = 5\nwrite = false",
            vec!["Orders", "large"],
            false,
            5,
        ),
        (
            "sql/write",
            "file = \"shop.db\"\ntables = ['odd \" name']\nwrite = true",
            vec!["odd \" name"],
            true,
            10_000,
        ),
        // What cannot be compiled reads nothing.
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"broken\"]",
            vec!["broken"],
            false,
            10_000,
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"leak\", \"secret\", \"orders\"]",
            vec!["leak", "secret", "Orders"],
            false,
            10_000,
        ),
    ] {
        let Provider::Sql(sql) = provider(resolved(interface, keys).unwrap()) else {
            panic!("{keys}")
        };
        assert_eq!(
            (sql.tables, sql.write, sql.max_rows),
            (
                tables.into_iter().map(str::to_owned).collect(),
                write,
                max_rows
            )
        );
        assert!(sql.file.is_absolute() && sql.file.ends_with("shop.db"));
    }
}

#[test]
fn what_is_wrong_is_said_with_the_way_out() {
    let long = format!("file = \"s\"\nprefix = \"{}\"", "p".repeat(1025));
    for (interface, keys, message, hint) in [
        (
            "kv/read",
            "",
            "the grant needs `file`",
            "write `file = \"FILE\"`",
        ),
        (
            "kv/read",
            "file = \"sub\"",
            "the granted file `sub` is no regular file",
            "",
        ),
        (
            "kv/write",
            "file = \"link.db\"",
            "the granted file `link.db` is a link",
            "name the file that it leads to",
        ),
        (
            "kv/write",
            "file = \"none/s.redb\"",
            "`none/s.redb` stands in a folder that does not exist",
            "",
        ),
        ("kv/write", "file = \"..\"", "`..` is no file", ""),
        (
            "kv/read",
            long.as_str(),
            "`prefix` has 1025 bytes, at most 1024",
            "",
        ),
        (
            "kv/read",
            "file = \"s\"\ntables = [\"x\"]",
            "`tables` does not belong to `lacuna:kv`",
            "remove it",
        ),
        (
            "kv/read",
            "path = \"sub\"",
            "`path` does not belong to `lacuna:kv`",
            "remove it",
        ),
        (
            "sql/read",
            "tables = [\"orders\"]",
            "the grant needs `file`",
            "",
        ),
        (
            "sql/read",
            "file = \"none.db\"\ntables = [\"x\"]",
            "the granted file `none.db` does not exist",
            "",
        ),
        (
            "sql/read",
            "file = \"link.db\"\ntables = [\"orders\"]",
            "`link.db` is a link",
            "",
        ),
        (
            "sql/read",
            "file = \"text\"\ntables = [\"orders\"]",
            "`text` is no SQLite database, or damaged",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"",
            "a grant on a database needs `tables`",
            "tables = [\"TABLE\"]",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = []",
            "`tables` is empty",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"ordres\"]",
            "the database has no table `ordres`",
            "did you mean `Orders`?",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"sqlite_master\"]",
            "no table `sqlite_master`",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"docs\"]",
            "`docs` is a virtual table",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"leak\", \"orders\"]",
            "the view `leak` reads `secret`, which is not granted",
            "add \"secret\" to `tables`",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"large\"]",
            "the view `large` reads `Orders`",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"counts\"]",
            "the view `counts` reads `secret`",
            "",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"orders\"]\nwrite = true",
            "`db` only reads",
            "remove `write`",
        ),
        (
            "sql/write",
            "file = \"shop.db\"\ntables = [\"orders\"]",
            "changes rows, and the grant does not allow it",
            "write `write = true`",
        ),
        (
            "sql/write",
            "file = \"shop.db\"\ntables = [\"orders\"]\nwrite = false",
            "changes rows, and the grant does not allow it",
            "write = true",
        ),
        (
            "sql/read",
            "file = \"shop.db\"\ntables = [\"orders\"]\nmax-keys = 3",
            "`max-keys` does not belong to `lacuna:sql`",
            "",
        ),
    ] {
        let text = resolved(interface, keys).unwrap_err();
        assert!(text.contains(message), "{keys}: {text}");
        assert!(text.contains("lacuna.toml:"), "{keys}: {text}");
        let hinted = text.split_once("hint: ").map_or("", |(_, hint)| hint);
        assert!(hinted.contains(hint), "{keys}: {text}");
    }
    let text = resolved(
        "sql/read",
        "file = \"shop.db\"\ntables = [\"x\", \"docs\", \"orders\"]",
    )
    .unwrap_err();
    assert_eq!(text.matches("error: ").count(), 2, "{text}");
}

#[test]
fn an_import_without_grant_shows_the_lines_to_add() {
    let folder = tempfile::tempdir().unwrap();
    let wit = "package t:h;\nworld hole { import lacuna:kv/write@0.1.0; import db: lacuna:sql/write@0.1.0; import lacuna:sql/read@0.1.0; export run: func(); }";
    fs::write(folder.path().join("plan.wit"), wit).unwrap();
    let plan = plan::load(&folder.path().join("plan.wit")).unwrap();
    let text = render(&resolve(&plan, plan.hole("hole").unwrap()).unwrap_err());
    for lines in [
        "[hole.hole.grant.write]\n    file = \"FILE\"\n",
        "[hole.hole.grant.db]\n    file = \"FILE\"\n    tables = [\"TABLE\"]\n    write = true\n",
        "[hole.hole.grant.read]\n    file = \"FILE\"\n    tables = [\"TABLE\"]\n",
    ] {
        assert!(text.contains(lines), "{text}");
    }
}
