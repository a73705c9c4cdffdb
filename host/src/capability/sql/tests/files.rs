//! The file: which are opened, who else has it, what a crash leaves.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use super::*;

#[test]
fn what_is_no_database_is_refused_and_left_alone() {
    let (folder, file) = database();
    let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
    symlink(&file, at("link")).unwrap();
    fs::create_dir(at("folder")).unwrap();
    symlink(at("folder"), at("way")).unwrap();
    fs::write(at("text"), "no database\n".repeat(1000)).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        at("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    for write in [false, true] {
        for (name, words) in [
            ("link", "no regular file"),
            ("folder", "no regular file"),
            ("fifo", "no regular file"),
            ("missing", "not found"),
            ("text", "damaged"),
        ] {
            let refused = Granted::new(&grant(&at(name), &["orders"], write), &State::default());
            let reason = refused.err().unwrap();
            assert!(reason.contains(words), "{name}: {reason}");
        }
    }
    assert!(!at("missing").exists());
    assert_eq!(
        fs::read(at("text")).unwrap(),
        "no database\n".repeat(1000).into_bytes()
    );
}

#[test]
fn a_file_that_is_replaced_is_not_opened() {
    let (folder, file) = database();
    let granted = open(&file, &["orders"], false);
    let aside = folder.path().join("aside.db");
    fs::rename(&file, &aside).unwrap();
    Connection::open(&file)
        .unwrap()
        .execute_batch("CREATE TABLE orders (id, customer, total)")
        .unwrap();
    // The connection that is open is on the file that was granted; a new one would be on the other.
    assert_eq!(
        granted
            .query("SELECT id FROM orders", &[], &bounds())
            .unwrap()
            .rows
            .len(),
        3
    );
    let refused = granted.database.open(false).err().unwrap();
    assert!(refused.contains("replaced"), "{refused}");
    fs::remove_file(&file).unwrap();
    symlink(&aside, &file).unwrap();
    let refused = granted.database.open(false).err().unwrap();
    assert!(refused.contains("no regular file"), "{refused}");
}

#[test]
fn grants_on_one_file_share_it() {
    let (folder, file) = database();
    let state = State::default();
    let reader = Granted::new(&grant(&file, &["orders"], false), &state).unwrap();
    let writer = Granted::new(&grant(&file, &["orders", "items"], true), &state).unwrap();
    let linked = folder.path().canonicalize().unwrap().join("linked.db");
    fs::hard_link(&file, &linked).unwrap();
    let other = Granted::new(&grant(&linked, &["items"], false), &state).unwrap();
    assert_eq!(state.databases.lock().unwrap().len(), 1);
    writer
        .execute("DELETE FROM orders", &[], &bounds())
        .unwrap();
    assert!(
        reader
            .query("SELECT * FROM orders", &[], &bounds())
            .unwrap()
            .rows
            .is_empty()
    );
    // Each keeps to its own tables, on whichever connection.
    assert!(reader.query("SELECT * FROM items", &[], &bounds()).is_err());
    assert!(other.query("SELECT * FROM orders", &[], &bounds()).is_err());
    assert!(other.query("SELECT * FROM items", &[], &bounds()).is_ok());
}

#[test]
fn another_program_is_waited_for_and_then_named() {
    let (_folder, file) = database();
    let granted = open(&file, &["orders"], true);
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    std::thread::scope(|scope| {
        let waiting =
            scope.spawn(|| granted.execute("DELETE FROM orders WHERE id = 1", &[], &bounds()));
        std::thread::sleep(Duration::from_millis(300));
        other.execute_batch("COMMIT").unwrap();
        assert_eq!(waiting.join().unwrap(), Ok(1));
    });
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let started = Instant::now();
    let busy = SqlError::Busy("another program is changing the database".into());
    assert_eq!(
        error(granted.query("SELECT * FROM orders", &[], &bounds())),
        busy
    );
    assert_eq!(
        error(granted.execute("DELETE FROM orders", &[], &bounds())),
        busy
    );
    let took = started.elapsed();
    assert!(
        took > Duration::from_secs(8) && took < Duration::from_secs(20),
        "{took:?}"
    );
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(
        granted
            .query("SELECT * FROM orders", &[], &bounds())
            .unwrap()
            .rows
            .len(),
        2
    );
}

#[test]
fn an_unfinished_change_is_undone_by_who_may_write() {
    let (folder, file) = database();
    // A copy of database and journal in the midst of a change is what a crash leaves.
    let other = Connection::open(&file).unwrap();
    other.pragma_update(None, "cache_size", 1).unwrap();
    other.pragma_update(None, "cache_spill", 1).unwrap();
    other
        .execute_batch(
            "BEGIN; UPDATE orders SET customer = 'lost' || id; DELETE FROM secret;
             WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 500)
             INSERT INTO items (name, data) SELECT n, zeroblob(3000) FROM c;",
        )
        .unwrap();
    let crashed = folder.path().canonicalize().unwrap().join("crashed.db");
    fs::copy(&file, &crashed).unwrap();
    let journal = folder.path().join("shop.db-journal");
    fs::copy(&journal, folder.path().join("crashed.db-journal")).unwrap();
    other.execute_batch("ROLLBACK").unwrap();
    let refused = Granted::new(&grant(&crashed, &["orders"], false), &State::default());
    let reason = refused.err().unwrap();
    assert!(reason.contains("in the midst of a change"), "{reason}");
    let state = State::default();
    let writer = Granted::new(&grant(&crashed, &["orders"], true), &state).unwrap();
    let reader = Granted::new(&grant(&crashed, &["orders"], false), &state).unwrap();
    for granted in [writer, reader] {
        let rows = granted
            .query("SELECT customer FROM orders ORDER BY id", &[], &bounds())
            .unwrap();
        assert_eq!(rows.rows, [[text("Ada")], [text("Bo")], [text("Ada")]]);
    }
}

#[test]
fn calls_at_once_lose_nothing() {
    for mode in ["DELETE", "WAL"] {
        let (_folder, file) = database();
        let owner = Connection::open(&file).unwrap();
        owner.pragma_update(None, "journal_mode", mode).unwrap();
        owner.pragma_update(None, "synchronous", "OFF").unwrap();
        drop(owner);
        let granted = open(&file, &["orders", "counted"], true);
        std::thread::scope(|scope| {
            for worker in 0..8 {
                let granted = &granted;
                scope.spawn(move || {
                    for n in 0..25 {
                        let name = [text(&format!("{worker}-{n}"))];
                        let insert = "INSERT INTO counted (name) VALUES (?)";
                        assert_eq!(granted.execute(insert, &name, &bounds()), Ok(1));
                        let seen = granted
                            .query(
                                "SELECT count(*) FROM counted WHERE name = ?",
                                &name,
                                &bounds(),
                            )
                            .unwrap();
                        assert_eq!(seen.rows, [[Value::Integer(1)]]);
                    }
                });
            }
        });
        assert_eq!(
            column(&file, "SELECT name FROM counted").len(),
            200,
            "{mode}"
        );
        assert!(granted.database.kept() <= 8);
    }
}
