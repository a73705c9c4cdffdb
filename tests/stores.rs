//! `lacuna:kv` and `lacuna:sql` as the whole program serves them: statements that attack, many calls at once, a program that is
//! killed, two programs on one file, files that are damaged.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test makes its stores and starts the program"
)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use lacuna::{Fill, Lacuna};
use redb::{Database, ReadableDatabase, ReadableTable};
use serde_json::json;
use support::plan::{self, Plan};
use support::stores::{KV, make_database, make_store};
use support::{program, root};
use tokio::sync::Mutex;

const SHOP: &str = "
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total REAL, UNIQUE (customer, total));
CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, name TEXT, data BLOB);
CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
CREATE TABLE secret (id INTEGER PRIMARY KEY, word TEXT);
CREATE INDEX by_word ON secret (word);
INSERT INTO orders VALUES (1, 'Ada', 120.5), (2, 'Bo', 20.0), (3, 'Ada', 300.0);
INSERT INTO items VALUES (1, 1, 'pen', x'00ff'), (2, 1, 'ink', NULL), (3, 3, 'pad', x'');
INSERT INTO secret VALUES (1, 'canary-7f3a'), (2, 'canary-7f3a two');
";

const SQL: &str = "world hole {
  import db: lacuna:sql/read@0.1.0;
  import change: lacuna:sql/write@0.1.0;
";

const SQL_GRANTS: &str = "
[hole.hole.grant.db]
file = \"shop.db\"
tables = [\"orders\", \"items\", \"counted\"]
[hole.hole.grant.change]
file = \"shop.db\"
tables = [\"orders\", \"items\", \"counted\"]
write = true
";

const KV_WORLD: &str = "world hole {
  import store: lacuna:kv/read@0.1.0;
  import out: lacuna:kv/write@0.1.0;
";

const KV_GRANTS: &str = "
[hole.hole.grant.store]
file = \"s.redb\"
[hole.hole.grant.out]
file = \"s.redb\"
";

/// One test at a time: some count the threads of this process.
static ALONE: Mutex<()> = Mutex::const_new(());

/// Rows of a column, by SQLite alone.
fn column(file: &Path, query: &str) -> Vec<String> {
    let connection = rusqlite::Connection::open(file).unwrap();
    let mut statement = connection.prepare(query).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Keys and values, by redb alone.
fn content(file: &Path) -> Vec<(String, String)> {
    let database = Database::open(file).unwrap();
    let table = match database.begin_read().unwrap().open_table(KV) {
        Ok(table) => table,
        // The file was made, and nothing was written yet.
        Err(redb::TableError::TableDoesNotExist(_)) => return Vec::new(),
        Err(error) => panic!("{error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (table.iter().unwrap())
        .map(Result::unwrap)
        .map(|(key, value)| (text(key.value()), text(value.value())))
        .collect()
}

/// The fill of this code in a session of its own.
async fn fill(folder: &Path, code: &str) -> Fill {
    let lacuna = Lacuna::builder().cache(program::cache()).build().unwrap();
    let plan = lacuna.load(folder.join("plan.wit")).unwrap();
    plan.hole("hole").unwrap().fill_with(code).await.unwrap()
}

#[test]
fn a_guest_reaches_nothing_that_is_not_granted() {
    let _alone = ALONE.blocking_lock();
    let plan = Plan::new(
        &format!("{SQL} export run: func(statements: list<string>) -> list<string>; }}"),
        SQL_GRANTS,
    );
    let file = plan.folder.join("shop.db");
    make_database(&file, SHOP);
    let table = fs::read_to_string(root().join("tests/stores/attacks.txt")).unwrap();
    let refused: Vec<&str> = (table.split("[harmless]").next().unwrap().lines())
        .skip_while(|line| *line != "[refused]")
        .skip(1)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    assert!(refused.len() > 150);
    let kept = |file: &Path| {
        let mut kept = column(file, "SELECT word FROM secret ORDER BY id");
        kept.extend(column(
            file,
            "SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name",
        ));
        kept.extend(column(
            file,
            "SELECT id || customer || total FROM orders ORDER BY id",
        ));
        kept
    };
    let before = kept(&file);
    plan.write(
        "arguments.json",
        &json!({ "statements": refused }).to_string(),
    );
    plan.write(
        "snippet.rs",
        "statements
            .iter()
            .map(|statement| {
                let query = db::query(statement, &[]).map(|rows| format!(\"{rows:?}\"));
                let execute = change::execute(statement, &[]).map(|rows| format!(\"{rows:?}\"));
                let returning = change::execute_returning(statement, &[]).map(|rows| format!(\"{rows:?}\"));
                format!(\"{query:?} {execute:?} {returning:?}\")
            })
            .collect()",
    );
    let ended = program::run(
        &plan.folder,
        [
            "run",
            "plan.wit",
            "--snippet",
            "snippet.rs",
            "--args-json",
            "arguments.json",
            "--format",
            "json",
        ],
    );
    let answer = plan::json(&ended);
    let answers = answer["value"]
        .as_array()
        .unwrap_or_else(|| panic!("{ended:?}"));
    assert_eq!(answers.len(), refused.len());
    for (statement, said) in refused.iter().zip(answers) {
        let said = said.as_str().unwrap();
        assert!(!said.contains("canary"), "{statement}: {said}");
        assert!(!said.contains("Ok("), "{statement}: {said}");
    }
    assert_eq!(kept(&file), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_calls_eight_at_once() {
    let _alone = ALONE.lock().await;
    let plan = Plan::new(
        "world hole {
          import store: lacuna:kv/read@0.1.0;
          import out: lacuna:kv/write@0.1.0;
          import db: lacuna:sql/read@0.1.0;
          import change: lacuna:sql/write@0.1.0;
          export run: func(worker: u32, call: u32) -> result<string, string>;
        }",
        &format!("{KV_GRANTS}{SQL_GRANTS}"),
    );
    let (shop, store) = (plan.folder.join("shop.db"), plan.folder.join("s.redb"));
    make_database(&shop, SHOP);
    let code = "pub fn run(worker: u32, call: u32) -> Result<String, String> {
        let name = format!(\"{worker}-{call}\");
        out::set_text(&name, &name).map_err(|e| e.to_string())?;
        out::increment(\"sum\", 1).map_err(|e| e.to_string())?;
        let back = store::get_text(&name).map_err(|e| e.to_string())?;
        let given = [change::Value::Text(name.clone())];
        let n = change::execute(\"INSERT INTO counted (name) VALUES (?)\", &given).map_err(|e| e.to_string())?;
        let rows = db::query(\"SELECT name FROM counted WHERE name = ?\", &[db::Value::Text(name)]).map_err(|e| e.to_string())?;
        Ok(format!(\"{back:?} {n} {}\", rows.rows.len()))
    }";
    let fill = std::sync::Arc::new(fill(&plan.folder, code).await);
    let before = threads();
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..8 {
        let fill = std::sync::Arc::clone(&fill);
        workers.spawn(async move {
            for call in 0..125 {
                let called = fill
                    .call(json!({ "worker": worker, "call": call }))
                    .await
                    .unwrap();
                assert_eq!(
                    called.json(),
                    json!({ "ok": format!("Some(\"{worker}-{call}\") 1 1") })
                );
            }
        });
    }
    while let Some(done) = workers.join_next().await {
        done.unwrap();
    }
    drop(fill);
    // The runtime keeps idle threads for blocking work; no more of them than there were calls at once.
    assert!(
        threads() <= before + 16,
        "{before} threads before, {} after",
        threads()
    );
    let content = content(&store);
    assert_eq!(content.len(), 1001);
    assert!(content.contains(&("sum".to_owned(), "1000".to_owned())));
    assert_eq!(
        column(&shop, "SELECT DISTINCT name FROM counted").len(),
        1000
    );
}

/// Threads of this process.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").unwrap().count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statements_that_never_end_leave_no_thread_at_work() {
    let _alone = ALONE.lock().await;
    let plan = Plan::new(
        &format!("{SQL} export run: func(statement: string) -> string; }}"),
        &format!("{SQL_GRANTS}[limits]\nhost-call-wall = \"300ms\"\n"),
    );
    let shop = plan.folder.join("shop.db");
    make_database(&shop, SHOP);
    let fill = fill(
        &plan.folder,
        "format!(\"{:?} {:?}\", db::query(&statement, &[]), change::execute(&statement, &[]))",
    )
    .await;
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)";
    for statement in [
        format!("{endless} SELECT count(*) FROM c"),
        format!("{endless} SELECT count(*) FROM c a, c b WHERE a.n < 0"),
        "SELECT count(*) FROM orders a, orders b, orders c, orders d, orders e, orders f, orders g, orders h, orders i, orders j, orders k, orders l, orders m, orders n, orders o, orders p, orders q, orders r, orders s, orders t".to_owned(),
        format!("UPDATE items SET name = (SELECT count(*) FROM ({endless} SELECT n FROM c))"),
        format!("DELETE FROM items WHERE id < (SELECT count(*) FROM ({endless} SELECT n FROM c))"),
    ] {
        let started = Instant::now();
        let answer = fill.call(json!({ "statement": statement })).await;
        // One that only the second function takes is refused by the first.
        let failed = answer.map(|called| called.json()).unwrap_err().to_string();
        assert!(failed.contains("`host-call-wall`"), "{statement}: {failed}");
        assert!(started.elapsed() < Duration::from_secs(3), "{statement}: {:?}", started.elapsed());
    }
    // Each thread has ended its statement: the process does nothing any more.
    let quiet = (0..50).any(|_| {
        let before = cpu();
        std::thread::sleep(Duration::from_millis(200));
        cpu() - before < 5
    });
    assert!(quiet, "a thread is still at work");
    assert_eq!(
        column(&shop, "SELECT name FROM items ORDER BY id"),
        ["pen", "ink", "pad"]
    );
    // And the one connection that writes is free.
    let called = fill
        .call(json!({ "statement": "UPDATE items SET name = 'x'" }))
        .await
        .unwrap();
    assert!(
        called.json().as_str().unwrap().ends_with("Ok(3)"),
        "{}",
        called.json()
    );
}

/// CPU time of this process, in hundredths of a second.
fn cpu() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Starts the program and leaves it running.
fn start(plan: &Plan) -> Child {
    Command::new(program::PROGRAM)
        .args(["run", "plan.wit", "--snippet", "snippet.rs"])
        .current_dir(&plan.folder)
        .env("LACUNA_CACHE_DIR", program::cache())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until something is so.
fn until(what: &str, so: impl Fn() -> bool) {
    let started = Instant::now();
    while !so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills the program in the midst of its writes, several times, each a little later.
fn killed(plan: &Plan, grown: &Path, check: impl Fn(usize)) {
    let size = |path: &Path| {
        fs::metadata(path).map_or((0, None), |found| (found.len(), found.modified().ok()))
    };
    // Judged and compiled once, so that each start comes to its writes at once.
    for round in 0..12 {
        let before = size(grown);
        let mut child = start(plan);
        until("the program writes", || {
            assert!(child_runs(&child), "it ended");
            size(grown) != before
        });
        std::thread::sleep(Duration::from_millis(round * 17));
        child.kill().unwrap();
        child.wait().unwrap();
        check(round as usize);
    }
}

fn child_runs(child: &Child) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

#[test]
fn a_killed_program_leaves_a_store_that_can_be_read() {
    let _alone = ALONE.blocking_lock();
    let plan = Plan::new(
        &format!("{KV_WORLD} export run: func(); }}"),
        &format!("{KV_GRANTS}[limits]\nhost-calls = 1_000_000\nstaged = \"10GiB\"\n"),
    );
    plan.write(
        "snippet.rs",
        "loop {
            let n = out::increment(\"n\", 1).unwrap();
            out::set_text(\"m\", &n.to_string()).unwrap();
            out::set(&format!(\"k{}\", n % 50), &vec![n as u8; 20_000]).unwrap();
        }",
    );
    let store = plan.folder.join("s.redb");
    killed(&plan, &store, |round| {
        let content = content(&store);
        let number = |key: &str| -> i64 {
            let found = content.iter().find(|(name, _)| name == key);
            found.map_or(0, |(_, value)| value.parse().unwrap())
        };
        let (n, m) = (number("n"), number("m"));
        assert!(n == m || n == m + 1, "round {round}: {n} {m}");
    });
    assert!(content(&store).len() > 2);
}

#[test]
fn a_killed_program_leaves_a_database_that_can_be_read() {
    let _alone = ALONE.blocking_lock();
    for mode in ["DELETE", "WAL"] {
        let plan = Plan::new(
            &format!("{SQL} export run: func(); }}"),
            &format!("{SQL_GRANTS}[limits]\nhost-calls = 1_000_000\nstaged = \"10GiB\"\n"),
        );
        let shop = plan.folder.join("shop.db");
        make_database(&shop, &format!("PRAGMA journal_mode = {mode}; {SHOP}"));
        plan.write(
            "snippet.rs",
            "loop {
                change::execute(\"UPDATE items SET data = zeroblob(100000), name = coalesce(order_id, 0)\", &[]).unwrap();
                change::execute(\"UPDATE items SET order_id = order_id + 1\", &[]).unwrap();
            }",
        );
        let grown = match mode {
            "WAL" => PathBuf::from(format!("{}-wal", shop.display())),
            _ => shop.clone(),
        };
        killed(&plan, &grown, |round| {
            assert_eq!(
                column(&shop, "PRAGMA integrity_check"),
                ["ok"],
                "{mode} {round}"
            );
            // Each statement was done for all rows or for none.
            let distances = column(
                &shop,
                "SELECT DISTINCT (order_id - CASE id WHEN 3 THEN 3 ELSE 1 END) || '' FROM items",
            );
            assert_eq!(distances.len(), 1, "{mode} {round}: {distances:?}");
        });
    }
}

#[test]
fn a_store_that_another_program_has_is_said_so() {
    let _alone = ALONE.blocking_lock();
    let plan = Plan::new(
        &format!("{KV_WORLD} export run: func() -> u32; }}"),
        KV_GRANTS,
    );
    let store = plan.folder.join("s.redb");
    make_store(&store, [("a", "1")]);
    let code = "store::keys(\"\").unwrap().len() as u32";
    let other = Database::open(&store).unwrap();
    let ended = plan.run(code);
    assert_ne!(ended.code, Some(0), "{ended:?}");
    let message = format!("{}{}", ended.stdout, ended.stderr);
    assert!(
        message.contains("cannot open the file granted as `store`"),
        "{message}"
    );
    assert!(message.contains("another process has it open"), "{message}");
    drop(other);
    assert_eq!(plan.run(code).code, Some(0));
}

#[test]
fn a_damaged_store_is_said_so_and_left_alone() {
    let _alone = ALONE.blocking_lock();
    let plan = Plan::new(
        &format!("{KV_WORLD} export run: func() -> u32; }}"),
        KV_GRANTS,
    );
    let store = plan.folder.join("s.redb");
    make_store(&store, [("a", "1")]);
    let mut bytes = fs::read(&store).unwrap();
    bytes.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x5a);
    fs::write(&store, &bytes).unwrap();
    let ended = plan.run("store::keys(\"\").unwrap().len() as u32");
    let message = format!("{}{}", ended.stdout, ended.stderr);
    assert_ne!(ended.code, Some(0), "{message}");
    assert!(message.contains("damaged"), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(fs::read(&store).unwrap(), bytes);
}
