//! Tools of a plan that are served outside, `json-http` and `command`, from the plan to the outcome: through the program,
//! and through the library with servers and programs that misbehave, after each of which nothing may be left.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts servers and programs and counts what is left of them"
)]

#[path = "tools/server.rs"]
mod server;
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lacuna::{Called, Error, Lacuna};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use server::{Answer, Server};
use support::{program, root};

/// What `hole.rs` returns for a customer that there is.
const VALUE: &str = "42; 18446744073709551615 0.1 Some(\"späť\") 1; 2 1e300 None 2; 3";

/// One test at a time: they count what the whole process holds.
static ALONE: Mutex<()> = Mutex::const_new(());

/// A folder with the plan and a manifest whose grants have these lines.
struct Folder(PathBuf);

impl Folder {
    fn new(grant: &str) -> Self {
        let folder = program::scratch();
        for file in ["plan.wit", "hole.rs", "many.rs", "tool.sh"] {
            fs::copy(root().join("tests/tools").join(file), folder.join(file)).unwrap();
        }
        let grants: String = ["hole", "many"]
            .iter()
            .map(|hole| format!("[hole.{hole}.grant.shop]\n{grant}\nsends = []\n"))
            .collect();
        let manifest = format!(
            "schema = 1\n[limits]\nhost-call-wall = \"2s\"\ncrossing = \"64KiB\"\n{grants}"
        );
        fs::write(folder.join("lacuna.toml"), manifest).unwrap();
        Self(folder)
    }

    fn command(script: &str, keep_alive: bool) -> Self {
        let script = json!(["sh", "-c", script]);
        Self::new(&format!(
            "provider = \"command\"\nargv = {script}\nkeep-alive = {keep_alive}"
        ))
    }

    /// The same with time enough for a program that works.
    fn patient(self) -> Self {
        let manifest = fs::read_to_string(self.0.join("lacuna.toml")).unwrap();
        let manifest = manifest.replace("host-call-wall = \"2s\"", "host-call-wall = \"60s\"");
        fs::write(self.0.join("lacuna.toml"), manifest).unwrap();
        self
    }

    fn served(server: &Server) -> Self {
        Self::new(&format!(
            "provider = \"json-http\"\nurl = \"{}\"",
            server.base
        ))
    }

    /// Calls `many` through the library; what the session held is gone then.
    async fn call(&self, times: u32, size: u32) -> Result<Called, Error> {
        let lacuna = Lacuna::builder().cache(program::cache()).build()?;
        let plan = lacuna.load(self.0.join("plan.wit"))?;
        let code = fs::read_to_string(self.0.join("many.rs")).unwrap();
        let fill = plan.hole("many")?.fill_with(&code).await?;
        fill.call(json!({ "times": times, "size": size })).await
    }

    /// Runs `hole` through the program; its standard output, and the calls in its trace.
    fn run(&self, customer: &str) -> (program::Ended, Vec<Value>) {
        let ended = program::run(
            &self.0,
            [
                "run",
                "plan.wit",
                "--hole",
                "hole",
                "--snippet",
                "hole.rs",
                "--format",
                "json",
                "--trace",
                "trace.jsonl",
                "--trace-labels",
                "private",
                "--trace-labels",
                "untrusted",
                "--arg",
                &format!("customer={customer}"),
            ],
        );
        let trace = fs::read_to_string(self.0.join("trace.jsonl")).unwrap_or_default();
        let events = trace
            .lines()
            .map(|line| serde_json::from_str(line).unwrap());
        let calls = events.filter(|event: &Value| {
            event["event"] == "call" && !event["function"].as_str().unwrap().starts_with("[drop]")
        });
        (ended, calls.collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What this process holds: open files, children, tasks of the runtime.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    files: Vec<String>,
    children: Vec<String>,
    tasks: usize,
}

fn held() -> Held {
    let mut files: Vec<String> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| {
            Some(
                fs::read_link(entry.ok()?.path())
                    .ok()?
                    .display()
                    .to_string(),
            )
        })
        // The one that lists them.
        .filter(|target| !target.contains("/proc/"))
        .map(|target| match target.split_once(':') {
            // Numbers differ each time.
            Some((kind @ ("socket" | "pipe"), _)) => kind.to_owned(),
            _ => target,
        })
        .collect();
    files.sort();
    let threads = fs::read_dir("/proc/self/task").unwrap();
    let children = threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        });
    Held {
        files,
        children: children.collect(),
        tasks: tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks(),
    }
}

/// Waits until this process holds what it held before.
async fn nothing_is_left(before: &Held, after: &str) {
    let started = Instant::now();
    while held() != *before {
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "after {after}:\n{:?}\nbefore:\n{before:?}",
            held()
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The lines of a tool, for a server: what `tool.sh` says.
fn shop(question: &str) -> Answer {
    let mut child = Command::new("sh")
        .arg(root().join("tests/tools/tool.sh"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("{question}\n").as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{question}");
    Answer::json(&String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn a_plan_runs_on_a_server_and_on_a_program() {
    let _alone = ALONE.lock().await;
    let server = Server::start(shop).await;
    for (name, folder) in [
        ("json-http", Folder::served(&server)),
        (
            "command",
            Folder::new("provider = \"command\"\nargv = [\"sh\", \"tool.sh\"]"),
        ),
        (
            "kept",
            Folder::new("provider = \"command\"\nargv = [\"sh\", \"tool.sh\"]\nkeep-alive = true"),
        ),
    ] {
        let (ended, calls) = run(folder, "ann").await;
        assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
        let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(outcome["value"], VALUE, "{name}");
        let functions: Vec<&str> = calls
            .iter()
            .map(|call| call["function"].as_str().unwrap())
            .collect();
        assert_eq!(
            functions,
            [
                "count",
                "[constructor]cart",
                "orders",
                "[method]cart.add",
                "[method]cart.add",
                "[constructor]cart",
                "[static]cart.merge",
                "keep",
                "[method]cart.add"
            ],
            "{name}"
        );
        assert!(calls.iter().all(|call| call["import"] == "shop"), "{name}");
        let orders = &calls[2];
        assert_eq!(orders["arguments"][0]["value"], "ann", "{orders}");
        assert_eq!(
            orders["result"]["value"]["ok"][0]["id"],
            u64::MAX,
            "{orders}"
        );
        assert_eq!(orders["irreversible"], name != "json-http", "{orders}");
    }
    // The tool's own error is a value.
    let (ended, _) = run(Folder::served(&server), "bob").await;
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(outcome["value"], "42; no such customer; 3");
    // A wrong shape ends the hole and is named.
    let wrong = Server::start(|_| Answer::json(r#"{"ok": "42"}"#)).await;
    let (ended, calls) = run(Folder::served(&wrong), "ann").await;
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    let outcome: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(outcome["outcome"], "trap", "{outcome}");
    let message = outcome["message"].as_str().unwrap();
    assert_eq!(
        message,
        "`shop.count`: result.ok: expected u64, found \"42\""
    );
    assert_eq!(calls[0]["error"], message, "{}", calls[0]);
}

/// The program is waited for on a thread of its own: the server answers on this one.
async fn run(folder: Folder, customer: &'static str) -> (program::Ended, Vec<Value>) {
    let job = tokio::task::spawn_blocking(move || folder.run(customer));
    job.await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_eight_at_once() {
    let _alone = ALONE.lock().await;
    let server = Server::start(|_| Answer::json("{\"ok\": 42}")).await;
    let folders = [
        Folder::served(&server),
        Folder::new("provider = \"command\"\nargv = [\"sh\", \"tool.sh\"]"),
        Folder::new("provider = \"command\"\nargv = [\"sh\", \"tool.sh\"]\nkeep-alive = true"),
    ];
    folders[0].call(1, 0).await.unwrap();
    server.nobody().await;
    let before = held();
    for folder in &folders {
        {
            let lacuna = Lacuna::builder().cache(program::cache()).build().unwrap();
            let plan = lacuna.load(folder.0.join("plan.wit")).unwrap();
            let code = fs::read_to_string(folder.0.join("many.rs")).unwrap();
            let fill = Arc::new(plan.hole("many").unwrap().fill_with(&code).await.unwrap());
            let calls = (0..8).map(|_| {
                let fill = Arc::clone(&fill);
                tokio::spawn(async move { fill.call(json!({ "times": 125, "size": 0 })).await })
            });
            for call in calls.collect::<Vec<_>>() {
                assert_eq!(call.await.unwrap().unwrap().json(), json!(125 * 42));
            }
        }
        nothing_is_left(&before, "a thousand calls").await;
    }
}

#[tokio::test]
async fn a_server_that_misbehaves_leaves_nothing_behind() {
    let _alone = ALONE.lock().await;
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let deep = format!(
        "{{\"ok\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let html = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>";
    let rows: Vec<(&str, Answer, &str)> = vec![
        (
            "one that hangs",
            Answer::Hang(String::new()),
            "limit `host-call-wall`",
        ),
        (
            "one that hangs in the middle",
            Answer::Hang("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{".to_owned()),
            "limit `host-call-wall`",
        ),
        (
            "one that drips",
            Answer::Drip("HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n".to_owned()),
            "limit `host-call-wall`",
        ),
        (
            "more announced than sent",
            Answer::Close("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{\"ok\": 1}".to_owned()),
            "broke off its answer",
        ),
        (
            "less announced than sent",
            Answer::Close("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{\"ok\": 1}".to_owned()),
            "is no JSON",
        ),
        (
            "200 MB announced",
            Answer::Flood(
                "HTTP/1.1 200 OK\r\ncontent-length: 209715200\r\n\r\n".to_owned(),
                "x".repeat(1 << 16),
            ),
            "limit `crossing` reached: 209715200 of",
        ),
        (
            "200 MB unannounced",
            Answer::Flood(chunked.to_owned(), chunk),
            "limit `crossing`",
        ),
        ("deep JSON", Answer::json(&deep), "recursion limit exceeded"),
        (
            "an early end",
            Answer::Close(String::new()),
            "cannot be asked",
        ),
        ("HTML", Answer::Close(html.to_owned()), "is no JSON"),
        (
            "a wrong shape",
            Answer::json("{\"ok\": [1]}"),
            "result.ok: expected u64, found [1]",
        ),
        (
            "a redirect",
            Answer::Close(
                "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
                    .to_owned(),
            ),
            "redirects are not followed",
        ),
        ("no server", Answer::Refuse, "refused"),
    ];
    warm_up().await;
    for (name, answer, expected) in rows {
        let refuses = matches!(answer, Answer::Refuse);
        let server = Server::start(move |_| answer.clone()).await;
        let folder = Folder::served(&server);
        let server = if refuses {
            server.stop().await;
            None
        } else {
            Some(server)
        };
        let before = held();
        fails(folder.call(1, 0).await, name, expected);
        if let Some(server) = &server {
            server.nobody().await;
        }
        nothing_is_left(&before, name).await;
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_program_that_misbehaves_leaves_nothing_behind() {
    let _alone = ALONE.lock().await;
    let rows = [
        (
            "one that ignores SIGTERM",
            "trap '' TERM; while :; do sleep 0.05; done",
            "limit `host-call-wall`",
        ),
        (
            "one that floods stderr",
            "head -c 209715200 /dev/zero | tr '\\0' x >&2; exit 3",
            "exit code 3",
        ),
        (
            "one that floods stderr for ever",
            "yes >&2",
            "limit `host-call-wall`",
        ),
        (
            "one that floods stdout",
            "tr '\\0' x </dev/zero",
            "limit `crossing`",
        ),
        (
            "one that dies half-way",
            "printf '{\"ok\": 1'; kill -9 $$",
            "signal 9",
        ),
        (
            "one that never reads",
            "sleep 300",
            "limit `host-call-wall`",
        ),
        ("one whose child stays", "sleep 300 & exit 1", "exit code 1"),
        (
            "one whose child ignores SIGTERM",
            "(trap '' TERM; while :; do sleep 0.05; done) & wait",
            "limit `host-call-wall`",
        ),
        (
            "two lines",
            "read x; printf '{\"ok\": 1}\\n{\"ok\": 2}\\n'",
            "more than one line",
        ),
        (
            "nothing",
            "read x",
            "ended with exit code 0 before it answered|answered nothing",
        ),
        ("no JSON", "read x; echo hello", "is no JSON"),
        (
            "a wrong shape",
            "read x; echo '{\"ok\": [1]}'",
            "result.ok: expected u64, found [1]",
        ),
    ];
    warm_up().await;
    for (name, script, expected) in rows {
        for keep_alive in [false, true] {
            let mut folder = Folder::command(script, keep_alive);
            if !expected.contains("host-call-wall") {
                folder = folder.patient();
            }
            let before = held();
            fails(folder.call(1, 0).await, name, expected);
            nothing_is_left(&before, name).await;
            if name == "one that never reads" {
                // More than a pipe holds.
                let before = held();
                fails(folder.call(1, 60_000).await, name, expected);
                nothing_is_left(&before, name).await;
            }
        }
    }
    // A session that is given up.
    for keep_alive in [false, true] {
        let folder = Folder::command("trap '' TERM; while :; do sleep 0.05; done", keep_alive);
        let before = held();
        let time = Duration::from_millis(500);
        assert!(tokio::time::timeout(time, folder.call(1, 0)).await.is_err());
        nothing_is_left(&before, "a session that is given up").await;
    }
}

/// What is made once for the process and stays: the first call makes it.
async fn warm_up() {
    let folder = Folder::command("read x; echo '{\"ok\": 1}'", false);
    assert_eq!(folder.call(1, 0).await.unwrap().json(), json!(1));
}

#[track_caller]
fn fails(called: Result<Called, Error>, name: &str, expected: &str) {
    match called {
        Ok(called) => panic!("{name}: {}", called.json()),
        Err(error) => {
            let message = error.to_string();
            let said = expected.split('|').any(|words| message.contains(words));
            assert!(said, "{name}: {message}");
            assert!(message.chars().count() < 600, "{name}: {message}");
        }
    }
}

/// A tool that is told to end only because the program ends: neither way of ending leaves it behind.
#[test]
fn the_end_of_the_program_is_the_end_of_its_tools() {
    let _alone = ALONE.blocking_lock();
    let tool = "trap '' TERM; echo $$ >> ids; while IFS= read -r line; do echo '{\"ok\": 1}'; done; while :; do sleep 0.05; done";
    let folder = Folder::command(tool, true);
    let ended = program::run(
        &folder.0,
        [
            "run",
            "plan.wit",
            "--hole",
            "many",
            "--snippet",
            "many.rs",
            "--arg",
            "times=3",
            "--arg",
            "size=0",
        ],
    );
    assert_eq!(
        (ended.code, ended.stdout.trim()),
        (Some(0), "3"),
        "{}",
        ended.stderr
    );
    let ids = fs::read_to_string(folder.0.join("ids")).unwrap();
    assert_eq!(ids.lines().count(), 1);
    let stat = fs::read_to_string(format!("/proc/{}/stat", ids.trim()));
    assert!(!stat.is_ok_and(|stat| !stat.contains(") Z ")), "it runs on");
}

#[test]
fn an_interrupt_is_the_end_of_the_tools_too() {
    let _alone = ALONE.blocking_lock();
    for keep_alive in [false, true] {
        let tool = "trap '' TERM; echo $$ > new; mv new ids; while :; do sleep 0.05; done";
        let folder = Folder::command(tool, keep_alive).patient();
        let mut running = Command::new(program::PROGRAM)
            .args(["run", "plan.wit", "--hole", "many", "--snippet", "many.rs"])
            .args(["--arg", "times=1", "--arg", "size=0"])
            .current_dir(&folder.0)
            .env("LACUNA_CACHE_DIR", program::cache())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ids = folder.0.join("ids");
        let started = Instant::now();
        while !ids.exists() {
            assert!(
                started.elapsed() < Duration::from_secs(120),
                "it does not start"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = rustix::process::Pid::from_child(&running);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
        assert_eq!(running.wait().unwrap().code(), Some(130));
        let tool = fs::read_to_string(ids).unwrap();
        let stat = fs::read_to_string(format!("/proc/{}/stat", tool.trim()));
        assert!(!stat.is_ok_and(|stat| !stat.contains(") Z ")), "it runs on");
    }
}
