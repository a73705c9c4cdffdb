//! Statements that would never end or take all there is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::*;

/// From when a call is given up to when its statement has ended. Most of it is one step of SQLite that is under way.
const AFTER: Duration = Duration::from_secs(10);

/// Rows without end.
const ENDLESS: &str = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) ";

/// Runs a statement that somebody waits for so long, and gives its answer and how long it took.
fn waited(
    granted: &Granted,
    statement: &str,
    parameters: &[Value],
    patience: Duration,
) -> (Result<Rows, Refusal>, Duration) {
    let bounds = bounds();
    let started = Instant::now();
    let done = AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            while started.elapsed() < patience && !done.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(5));
            }
            bounds.give_up();
        });
        let result = granted.query(statement, parameters, &bounds);
        done.store(true, Ordering::Relaxed);
        result
    });
    (result, started.elapsed())
}

/// SQLite counts the memory of the whole process: what these take must not end each other's statements.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Half a second.
fn given_up(
    granted: &Granted,
    statement: &str,
    parameters: &[Value],
) -> (Result<Rows, Refusal>, Duration) {
    waited(granted, statement, parameters, Duration::from_millis(500))
}

#[test]
fn what_never_ends_is_ended() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], true);
    let join = format!(
        "SELECT count(*) FROM {}",
        ["orders"; 40].join(" NATURAL JOIN ")
    );
    let product = (1..=40)
        .map(|n| format!("orders o{n}"))
        .collect::<Vec<_>>()
        .join(", ");
    let doubled: String = (1..60)
        .map(|n| format!(", c{n} AS (SELECT a.x FROM c{} a, c{} b)", n - 1, n - 1))
        .collect();
    let doubled = format!("WITH c0 AS (SELECT 1 AS x){doubled} SELECT count(*) FROM c59");
    for statement in [
        format!("{ENDLESS} SELECT count(*) FROM c"),
        format!("{ENDLESS} SELECT max(n) FROM c WHERE n < 0"),
        format!("{ENDLESS} SELECT n FROM c WHERE n < 0"),
        format!("{ENDLESS} SELECT group_concat('') FROM c"),
        format!("SELECT count(*) FROM {product}"),
        format!("SELECT count(*) FROM {product} WHERE o1.customer LIKE '%%%%%%x'"),
        format!("SELECT sum(o1.total * o40.total) OVER () FROM {product}"),
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION SELECT (n + 1) % 3 FROM c), d(m) AS (SELECT n FROM c UNION ALL SELECT m FROM d) SELECT count(*) FROM d".to_owned(),
        join,
        doubled,
    ] {
        let (result, took) = given_up(&granted, &statement, &[]);
        let shown = &statement[..statement.len().min(150)];
        assert!(took < AFTER, "{shown}: {took:?}");
        // A statement that SQLite sees through is over at once.
        if let Err(error) = result {
            assert!(matches!(error, Refusal::Error(_)), "{shown}: {error:?}");
        }
    }
    // The connections are as good as before.
    let rows = granted
        .query("SELECT count(*) FROM orders", &[], &bounds())
        .unwrap();
    assert_eq!(rows.rows, [[Value::Integer(3)]]);
}

#[test]
fn what_takes_all_memory_is_ended() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], true);
    for statement in [
        format!("{ENDLESS} SELECT n FROM c ORDER BY n DESC"),
        format!("{ENDLESS} SELECT zeroblob(1000000) AS z FROM c ORDER BY n % 7"),
        format!("{ENDLESS} SELECT count(DISTINCT n) FROM c"),
        format!("{ENDLESS} SELECT n, count(*) FROM c GROUP BY n % 1000000007"),
        format!("{ENDLESS} SELECT json_group_array(n) FROM c"),
        format!("{ENDLESS} SELECT length(group_concat(n)) FROM (SELECT n FROM c LIMIT 3000000)"),
        format!("{ENDLESS}, m AS MATERIALIZED (SELECT zeroblob(1000) FROM c) SELECT count(*) FROM m"),
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION SELECT n + 1 FROM c) SELECT count(*) FROM c".to_owned(),
        "WITH RECURSIVE c(n) AS (SELECT zeroblob(100000) UNION ALL SELECT n FROM c, orders) SELECT count(*) FROM c".to_owned(),
        "SELECT zeroblob(1000000000)".to_owned(),
        "SELECT length(zeroblob(2000000000))".to_owned(),
        "SELECT printf('%.*c', 1000000000, 'x')".to_owned(),
        "SELECT printf('%1000000000d', 1)".to_owned(),
        "SELECT format('%*s', 2000000000, 'x')".to_owned(),
        "SELECT replace(printf('%.*c', 200000, 'x'), 'x', 'yyyyyyyyyy')".to_owned(),
        "SELECT hex(zeroblob(500000000))".to_owned(),
    ] {
        let started = Instant::now();
        let result = granted.query(&statement, &[], &bounds());
        assert!(started.elapsed() < AFTER, "{statement}: {:?}", started.elapsed());
        assert!(matches!(error(result), SqlError::TooLarge(_)), "{statement}");
    }
}

#[test]
fn a_function_works_on_what_it_can_do_in_time() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = open(&file, &["orders"], false);
    // The longest that each may have, and one that is longer than all may have.
    let megabytes = 4 << 20;
    let (short, medium, long) = (16 << 10, 256 << 10, 1 << 20);
    let a = text(&"a".repeat(megabytes));
    let needle = text(&format!("{}b", "a".repeat(megabytes / 2)));
    let many = text(&"bcdefghi".repeat(megabytes / 8));
    for (statement, parameters) in [
        ("SELECT instr(?, ?)", vec![a.clone(), needle.clone()]),
        (
            "SELECT length(replace(?, ?, 'x'))",
            vec![a.clone(), needle.clone()],
        ),
        (
            "SELECT length(trim(?, ?))",
            vec![many.clone(), text("ihgfedcb")],
        ),
        (
            "SELECT length(trim(?, ?))",
            vec![many.clone(), many.clone()],
        ),
        ("SELECT length(unhex(?, ?))", vec![many.clone(), many]),
        (
            "SELECT ? LIKE ?",
            vec![a.clone(), text(&format!("{}b", "%a".repeat(49)))],
        ),
        (
            "SELECT ? LIKE ?",
            vec![a.clone(), text(&format!("%{}b", "a".repeat(98)))],
        ),
        (
            "SELECT ? LIKE ?",
            vec![a.clone(), text(&format!("{}b", "%a_".repeat(33)))],
        ),
        (
            "SELECT ? GLOB ?",
            vec![a.clone(), text(&format!("{}b", "*a".repeat(49)))],
        ),
        (
            "SELECT ? GLOB ?",
            vec![a.clone(), text(&format!("*{}c", "[a-b]".repeat(19)))],
        ),
        ("SELECT ? LIKE ?", vec![a.clone(), needle]),
        (
            "SELECT json_patch(?, ?)",
            vec![text(&members(200_000)), text(&members(200_000))],
        ),
        ("SELECT json_valid(?)", vec![text(&"[".repeat(megabytes))]),
        (
            "SELECT json_extract(?, '$.a')",
            vec![text(&format!(
                "{}1{}",
                "{\"a\":".repeat(900),
                "}".repeat(900)
            ))],
        ),
        ("SELECT length(quote(?))", vec![a]),
        (
            "SELECT length(trim(?, ?))",
            vec![
                text(&"b".repeat(short)),
                text(&format!("{}b", "acdefghi".repeat(short / 8 - 1))),
            ],
        ),
        (
            "SELECT instr(?, ?)",
            vec![
                text(&"a".repeat(medium)),
                text(&format!("{}b", "a".repeat(medium / 2))),
            ],
        ),
        (
            "SELECT ? GLOB ?",
            vec![
                text(&"a".repeat(long)),
                text(&format!("*{}c", "[a-b]".repeat(19))),
            ],
        ),
        (
            "SELECT ? LIKE ?",
            vec![
                text(&"a".repeat(7 << 20)),
                text(&format!("%{}b", "a".repeat(98))),
            ],
        ),
    ] {
        let (result, took) = given_up(&granted, statement, &parameters);
        assert!(
            took < AFTER,
            "{statement}: {took:?}, {:?}",
            result.map(|rows| rows.rows.len())
        );
    }
    // What people do is done.
    let long = text(&"word ".repeat(50_000));
    let rows = granted
        .query(
            "SELECT instr(?1, 'x'), length(trim(?1)), ?1 LIKE '%word%'",
            &[long],
            &bounds(),
        )
        .unwrap();
    assert_eq!(
        rows.rows,
        [[
            Value::Integer(0),
            Value::Integer(249_999),
            Value::Integer(1)
        ]]
    );
}

/// A JSON object with many members.
fn members(count: usize) -> String {
    let members: Vec<String> = (0..count).map(|n| format!("\"k{n}\":1")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn long_and_deep_statements_are_refused_at_once() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = open(&file, &["orders"], true);
    let nested = |open: &str, inner: &str, close: &str, depth: usize| {
        format!(
            "SELECT {}{inner}{}",
            open.repeat(depth),
            close.repeat(depth)
        )
    };
    for statement in [
        format!("SELECT '{}'", "x".repeat(1 << 20)),
        format!("SELECT 1{}", ", 1".repeat(350_000)),
        format!("SELECT 1{}", " + 1".repeat(15_000)),
        format!(
            "SELECT id FROM orders WHERE {} 0",
            "id = 1 OR ".repeat(6000)
        ),
        nested("(", "1", ")", 30_000),
        nested("abs(", "1", ")", 12_000),
        nested("-", "1", "", 60_000),
        nested("NOT ", "1", "", 15_000),
        nested("(SELECT ", "1", ")", 6000),
        nested("CASE WHEN 1 THEN ", "1", " END", 2500),
        format!("SELECT 1{}", " UNION SELECT 1".repeat(4000)),
        format!("SELECT * FROM {}", vec!["orders"; 100].join(" JOIN ")),
        format!("SELECT {}", vec!["?"; 2000].join(",")),
        format!("SELECT max({})", vec!["1"; 500].join(",")),
        format!("SELECT {}", "*, ".repeat(5000)),
        "SELECT 1;".repeat(7000),
        "trim(".repeat(2_000_000),
        nested("trim(", "1", ")", 10_000),
        ";".repeat(60_000),
        "/*".repeat(30_000),
        "SELECT 'a' COLLATE ".repeat(3000),
    ] {
        let started = Instant::now();
        let result = granted.query(&statement, &[], &bounds());
        let shown = &statement[..40.min(statement.len())];
        assert!(
            started.elapsed() < Duration::from_secs(5),
            "{shown}: {:?}",
            started.elapsed()
        );
        let said = format!("{:?}", error(result));
        assert!(said.len() < 1000, "{shown}: {} bytes", said.len());
    }
}

#[test]
fn a_statement_that_writes_too_much_leaves_nothing() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = open(&file, &["orders", "items"], true);
    let size = std::fs::metadata(&file).unwrap().len();
    let many =
        format!("INSERT INTO items (data) SELECT zeroblob(10000) FROM ({ENDLESS} SELECT n FROM c)");
    let at = hit(granted.execute(&many, &[], &bounds().staging(1 << 20, 10)));
    assert_eq!((at.name, at.at), ("staged", 1 << 20));
    assert!(std::fs::metadata(&file).unwrap().len() <= size + (2 << 20));
    // Rows beyond `max-rows`, though they take no room.
    let started = Instant::now();
    let rows = format!("INSERT INTO items (id) SELECT n + 10 FROM ({ENDLESS} SELECT n FROM c)");
    assert!(matches!(
        error(granted.execute(&rows, &[], &bounds())),
        SqlError::TooLarge(_)
    ));
    assert!(started.elapsed() < AFTER);
    assert_eq!(
        column(&file, "SELECT name FROM items ORDER BY id"),
        ["pen", "ink", "pad"]
    );
    granted
        .execute("UPDATE items SET name = 'x'", &[], &bounds())
        .unwrap();
}

#[test]
fn a_call_that_is_given_up_leaves_nothing() {
    let _alone = alone();
    let (_folder, file) = database();
    let granted = Arc::new(open(&file, &["orders", "items"], true));
    let bounds = bounds();
    let slow = format!(
        "UPDATE items SET name = (SELECT count(*) FROM ({ENDLESS} SELECT n FROM c LIMIT 1000000000))"
    );
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            bounds.give_up();
        });
        granted.execute(&slow, &[], &bounds)
    });
    assert!(matches!(error(result), SqlError::Other(_)));
    assert_eq!(
        column(&file, "SELECT name FROM items ORDER BY id"),
        ["pen", "ink", "pad"]
    );
    // One that waits for another program ends when nobody waits for it.
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    assert!(granted.execute("DELETE FROM items", &[], &bounds).is_err());
    assert!(started.elapsed() < Duration::from_secs(1));
}
