//! `lacuna trace`: its figures against a count by hand of the same lines, what it shows, and files that are no traces.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes plans, serves HTTP and starts the program"
)]

#[path = "trace/count.rs"]
mod count;
#[allow(dead_code, reason = "these tests do not look at the requests")]
#[path = "cli/server.rs"]
mod server;
mod support;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use server::{Reply, Server};
use support::program::{self, Ended, PROGRAM};
use support::{root, snapshot};

/// A folder with the plan of `tests/cli`, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = program::audit();
        Self(folder)
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.join(file)).unwrap()
    }

    /// Puts lines behind the first one of the manifest.
    fn manifest(&self, lines: &str) {
        let plan = root().join("tests/cli/plans/audit/lacuna.toml");
        let text = fs::read_to_string(plan).unwrap();
        let text = text.replacen("schema = 1\n", &format!("schema = 1\n{lines}\n"), 1);
        self.write("lacuna.toml", &text);
    }

    fn run(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Ended {
        program::run_with(&self.0, arguments, environment)
    }

    fn trace(&self, arguments: &[&str]) -> Ended {
        self.run(&[&["trace"], arguments].concat(), &[])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs of every kind, each with its trace: what they are called.
fn sessions(folder: &Folder) -> Vec<&'static str> {
    let run = |trace: &str, arguments: &[&str], environment: &[(&str, &str)], code: i32| {
        let arguments = [&["run", "plan.wit", "--trace", trace], arguments].concat();
        let ended = folder.run(&arguments, environment);
        assert_eq!(ended.code, Some(code), "{ended:?}");
    };
    run("replayed.jsonl", &[], &[], 0);

    let answers =
        [1, 2].map(|attempt| Reply::Streamed(folder.read(&format!("recorded/audit.{attempt}.md"))));
    let server = Server::start(answers.to_vec());
    let variables = [
        ("OPENAI_BASE_URL", server.base.as_str()),
        ("OPENAI_API_KEY", "k"),
    ];
    folder.manifest(
        "[models.paid]\nprovider = \"openai\"\nmodel = \"small\"\nprice.input = 2.5\nprice.output = 10.0",
    );
    run("paid.jsonl", &["--model", "paid"], &variables, 0);

    let whole = |text: &str| {
        Reply::Whole(
            200,
            json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }] }),
        )
    };
    // Mended by the compiler's own fix; a server that does not count.
    let server = Server::start(vec![whole(
        "```rust\npub fn duplicates(lockfile: String) -> Vec<Duplicate> {\n    let text = repo::read_text(lockfile).unwrap_or_default();\n    println!(\"{}\", text.len());\n    Vec::new()\n}\n```\n",
    )]);
    let variables = [
        ("OPENAI_BASE_URL", server.base.as_str()),
        ("OPENAI_API_KEY", "k"),
    ];
    run(
        "repaired.jsonl",
        &["--model", "openai:other"],
        &variables,
        0,
    );
    // No code, then nothing at all.
    let server = Server::start(vec![
        whole("I would rather not."),
        Reply::Whole(401, json!({})),
    ]);
    let variables = [
        ("OPENAI_BASE_URL", server.base.as_str()),
        ("OPENAI_API_KEY", "k"),
    ];
    run("refused.jsonl", &["--model", "openai:other"], &variables, 3);

    // Limited at first, then refused: the budget is charged with all that was set aside.
    let refusal = json!({ "choices": [{ "index": 0, "message": { "role": "assistant", "refusal": "I cannot help with that." }, "finish_reason": "stop" }] });
    let server = Server::start(vec![
        Reply::Whole(429, json!({ "error": { "message": "slowly" } })),
        Reply::Whole(200, refusal),
    ]);
    let variables = [
        ("OPENAI_BASE_URL", server.base.as_str()),
        ("OPENAI_API_KEY", "k"),
    ];
    run("unwilling.jsonl", &["--model", "paid"], &variables, 3);
    // Nothing was asked, so nothing is charged.
    run("nothing.jsonl", &["--model", "replay:nowhere"], &[], 3);

    folder.manifest("[budget]\nattempts = 1");
    run("used-up.jsonl", &[], &[], 1);
    folder.manifest("[budget]\ntokens = 10");
    run("budget.jsonl", &[], &[], 4);

    folder.manifest("[limits]\nfuel = 20000000");
    folder.write(
        "loop.rs",
        "pub fn duplicates(_: String) -> Vec<Duplicate> { loop {} }",
    );
    run("fuel.jsonl", &["--snippet", "loop.rs"], &[], 4);
    folder.write(
        "trap.rs",
        "pub fn duplicates(lockfile: String) -> Vec<Duplicate> {
            let missing = repo::read_text(\"nowhere\");
            println!(\"{missing:?}\");
            let there = repo::read_text(&lockfile);
            println!(\"{}\", there.is_ok());
            let none: Vec<Duplicate> = Vec::new();
            vec![none[lockfile.len()].clone()]
        }",
    );
    run("trap.jsonl", &["--snippet", "trap.rs"], &[], 4);
    folder.write(
        "bad.rs",
        "pub fn duplicates(_: String) -> Vec<Duplicate> { 7 }",
    );
    run("given.jsonl", &["--snippet", "bad.rs"], &[], 1);
    vec![
        "replayed.jsonl",
        "paid.jsonl",
        "repaired.jsonl",
        "refused.jsonl",
        "unwilling.jsonl",
        "nothing.jsonl",
        "used-up.jsonl",
        "budget.jsonl",
        "fuel.jsonl",
        "trap.jsonl",
        "given.jsonl",
    ]
}

#[test]
fn figures_are_those_of_a_count_by_hand() {
    let folder = Folder::new();
    let traces = sessions(&folder);
    let read: Vec<String> = traces.iter().map(|trace| folder.read(trace)).collect();
    let stats = |traces: &[&str]| -> Value {
        let ended = folder.trace(&[&["--stats", "--format", "json"], traces].concat());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        serde_json::from_str(&ended.stdout).unwrap()
    };
    for (trace, text) in traces.iter().zip(&read) {
        count::compare(trace, &stats(&[trace]), &count::by_hand(&[text]));
    }
    let all: Vec<&str> = read.iter().map(String::as_str).collect();
    let together = stats(&traces);
    count::compare("all", &together, &count::by_hand(&all));
    // What these runs must have been, whoever counts.
    for (place, expected) in [
        ("/answers", json!(7)),
        ("/prompts", json!(10)),
        ("/failed", json!(3)),
        (
            "/failures",
            json!({ "missing-recording": 1, "refusal": 1, "unauthorised": 1 }),
        ),
        ("/failed-retries", json!(1)),
        ("/models/openai:small/failures", json!({ "refusal": 1 })),
        ("/accepted", json!(3)),
        ("/rejected", json!(4)),
        ("/rejected-at", json!({ "compile": 3, "snippet": 1 })),
        ("/causes", json!({ "no-code": 1, "outside-scope": 3 })),
        ("/repaired", json!(1)),
        ("/holes-asked", json!(5)),
        ("/first-try", json!(1)),
        ("/attempts-per-hole", json!({ "1": 3, "2": 2 })),
        ("/retries-until-accepted", json!({ "0": 1, "1": 2 })),
        ("/tokens", json!({ "in": 2000, "out": 400 })),
        ("/priced", json!(3)),
        ("/given", json!({ "accepted": 2, "rejected": 1 })),
        (
            "/sessions",
            json!({ "limit": 2, "model": 3, "ok": 3, "rejected": 2, "trap": 1 }),
        ),
        ("/runs", json!({ "limit": 1, "ok": 3, "trap": 1 })),
        ("/limits", json!({ "budget.tokens": 1, "fuel": 1 })),
        ("/calls/repo.read-text/count", json!(5)),
        ("/calls/repo.read-text/errors", json!(1)),
        ("/log-lines", json!(3)),
    ] {
        assert_eq!(
            together.pointer(place),
            Some(&expected),
            "{place} in {together:#}"
        );
    }
}

/// What the session's budget says it has spent is what the figures add up to, whatever became of the requests.
#[test]
fn figures_are_those_of_the_budget() {
    let folder = Folder::new();
    for trace in sessions(&folder) {
        let ended = folder.trace(&["--stats", "--format", "json", trace]);
        let stats: Value = serde_json::from_str(&ended.stdout).unwrap();
        let text = folder.read(trace);
        let end: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        let sum: u64 = ["tokens", "tokens-estimated", "tokens-charged"]
            .iter()
            .flat_map(|kind| ["in", "out"].map(|way| stats[kind][way].as_u64().unwrap()))
            .sum();
        assert_eq!(json!(sum), end["spent"]["tokens"], "{trace}: {stats:#}");
        let (paid, spent) = (stats["usd"].as_f64(), end["spent"]["usd"].as_f64());
        let (paid, spent) = (paid.unwrap(), spent.unwrap());
        assert!((paid - spent).abs() < 1e-9, "{trace}: {paid} and {spent}");
        let charged = &stats["tokens-charged"]["out"];
        assert_eq!(
            charged.as_u64().unwrap() > 0,
            ["refused.jsonl", "unwilling.jsonl"].contains(&trace),
            "{trace}"
        );
    }
    let ended = folder.trace(&["unwilling.jsonl"]);
    for line in [
        "    note    openai:small: ",
        "    failed  refusal, after 1 retry, ",
        "      `openai:small` refuses: I cannot help with that.",
    ] {
        assert!(ended.stdout.contains(line), "{line:?}: {}", ended.stdout);
    }
    let ended = folder.trace(&["--stats", "unwilling.jsonl"]);
    for line in [
        "  failed            1: refusal 1, after 1 retry\n",
        "; charged to the budget for failed requests ",
        "cost                at most ",
    ] {
        assert!(ended.stdout.contains(line), "{line:?}: {}", ended.stdout);
    }
}

/// `trace/counted.md` says how its figures were counted.
#[test]
fn figures_are_those_that_a_person_has_counted() {
    let folder = root().join("tests/trace");
    let expected: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("counted.json")).unwrap()).unwrap();
    let ended = program::run(
        &folder,
        ["trace", "--stats", "--format", "json", "counted.jsonl"],
    );
    let stats: Value = serde_json::from_str(&ended.stdout).unwrap();
    let counted = expected.as_object().unwrap();
    assert!(counted.len() > 20);
    for (place, figure) in counted {
        let theirs = stats
            .pointer(place)
            .unwrap_or_else(|| panic!("{place} is not in {stats:#}"));
        match (theirs.as_f64(), figure.as_f64()) {
            // Sums of fractions of cents differ in their last bits.
            (Some(theirs), Some(figure)) => {
                assert!((theirs - figure).abs() < 1e-9, "{place}: {theirs}")
            }
            _ => assert_eq!(theirs, figure, "{place}"),
        }
    }
    let read = fs::read_to_string(folder.join("counted.jsonl")).unwrap();
    count::compare("counted", &stats, &count::by_hand(&[&read]));
}

/// `BLESS=1 cargo test -p lacuna --test trace` rewrites what is shown.
#[test]
fn a_trace_is_shown() {
    let folder = root().join("tests/trace");
    let mut text = String::new();
    for arguments in [
        &["counted.jsonl"][..],
        &["counted.jsonl", "--attempt", "2"],
        &["--stats", "counted.jsonl", "counted.jsonl"],
    ] {
        let ended = program::run(&folder, [&["trace"], arguments].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        text += &format!("$ lacuna trace {}\n{}\n", arguments.join(" "), ended.stdout);
    }
    let text = format!("{}\n", text.trim_end());
    snapshot::check(
        &folder.join("shown.txt"),
        &text,
        "trace",
        "a_trace_is_shown",
    )
    .unwrap();
}

#[test]
fn events_are_given_out_as_json() {
    let folder = root().join("tests/trace");
    let events = |arguments: &[&str]| -> Vec<Value> {
        let ended = program::run(
            &folder,
            [&["trace", "counted.jsonl", "--format", "json"], arguments].concat(),
        );
        assert_eq!(ended.code, Some(0), "{ended:?}");
        serde_json::from_str(&ended.stdout).unwrap()
    };
    let lines = fs::read_to_string(folder.join("counted.jsonl")).unwrap();
    let all: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(events(&[]), all);
    let second = events(&["--hole", "audit", "--attempt", "2"]);
    let names: Vec<&str> = second
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    let frame = names
        .iter()
        .filter(|name| name.contains("session") || **name == "hole-start")
        .count();
    let inner = ["prompt", "answer", "verdict"];
    assert_eq!(
        names.iter().filter(|name| inner.contains(name)).count(),
        3,
        "{names:?}"
    );
    assert_eq!(frame + 3, names.len());
}

/// A hole or an attempt that is not in the trace is a mistake, and what there is stands in the hint.
#[test]
fn nothing_found_is_an_error() {
    let folder = root().join("tests/trace");
    for (arguments, said) in [
        (
            &["--hole", "audti"][..],
            "error: the trace has no hole `audti`\n\nhint: there are: `audit`\n",
        ),
        (
            &["--attempt", "9"],
            "error: the trace has no attempt 9\n\nhint: there are: 1, 2\n",
        ),
        (
            &["--hole", "audit", "--attempt", "3"],
            "error: the trace has no attempt 3 of `audit`\n\nhint: there are: 1, 2\n",
        ),
    ] {
        for format in ["text", "json"] {
            let whole = [&["trace", "counted.jsonl", "--format", format], arguments].concat();
            let ended = program::run(&folder, whole);
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(2), said));
            let is_array = serde_json::from_str::<Vec<Value>>(&ended.stdout).is_ok();
            assert_eq!(is_array, format == "json", "{}", ended.stdout);
        }
    }
}

#[test]
fn what_is_no_trace_is_refused() {
    let folder = Folder::new();
    let good = "{\"v\":1,\"seq\":0,\"ms\":0,\"event\":\"log\",\"hole\":\"a\",\"path\":\"a\",\"text\":\"x\"}\n";
    folder.write("empty.jsonl", "");
    folder.write("other.jsonl", &format!("{good}{{\"a\":1}}\n"));
    folder.write("newer.jsonl", &good.replace("\"v\":1", "\"v\":2"));
    folder.write("cut.jsonl", &format!("{good}{}", &good[..40]));
    fs::write(
        folder.0.join("binary.jsonl"),
        [b'\x7f', b'E', 0xff, 0, b'\n'],
    )
    .unwrap();
    fs::create_dir(folder.0.join("folder.jsonl")).unwrap();
    let hint = "\n\nhint: a trace is what `lacuna run --trace FILE` writes\n";
    for (file, said) in [
        ("empty.jsonl", format!("there is no event in it{hint}")),
        ("other.jsonl", format!("line 2 is no event of a trace: it has no version `v`{hint}")),
        (
            "newer.jsonl",
            "line 1 has version 2 of the trace's form; this program reads version 1\n\nhint: read it with the version of lacuna that wrote it, or a newer one\n".to_owned(),
        ),
        ("binary.jsonl", format!("line 1 is no event of a trace: it is not UTF-8 text{hint}")),
        ("folder.jsonl", "line 1: Is a directory (os error 21)\n".to_owned()),
        ("missing.jsonl", "No such file or directory (os error 2)\n".to_owned()),
        ("plan.wit", format!("line 1 is no event of a trace: it is not JSON (expected value, column 1){hint}")),
    ] {
        for flags in [&[][..], &["--full"], &["--stats"], &["--format", "json"], &["--stats", "--format", "json"]] {
            let ended = folder.trace(&[&[file], flags].concat());
            assert_eq!(ended.code, Some(2), "{file} {flags:?}: {ended:?}");
            assert_eq!(ended.stderr, format!("error: cannot read {file}: {said}"), "{flags:?}");
            if flags == ["--format", "json"] {
                // An array, closed, with what was read before.
                let is_array = serde_json::from_str::<Vec<Value>>(&ended.stdout).is_ok();
                assert!(is_array, "{file}: {}", ended.stdout);
            }
        }
    }
    let ended = folder.trace(&["cut.jsonl"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(
        ended.stdout,
        "a (goes on)\n    log | x\nthe last line is not complete\n"
    );
    for arguments in [
        &[][..],
        &["a", "--stats", "--full"],
        &["a", "--stats", "--attempt", "1"],
    ] {
        assert_eq!(folder.trace(arguments).code, Some(2), "{arguments:?}");
    }
}

/// Whoever wrote a trace, it drives no terminal: escape sequences, and characters that turn or hide text.
#[test]
fn no_text_of_a_trace_drives_the_terminal() {
    let folder = Folder::new();
    let wild = "\u{1b}[2J\u{1b}]0;x\u{7}\r\u{202e}\u{200b}\u{9b}31m\nsession ended: ok";
    let mut text = String::new();
    for (number, name) in [
        "prompt",
        "answer",
        "verdict",
        "run-start",
        "call",
        "log",
        "limit",
        "run-end",
        "hole-end",
        wild,
    ]
    .into_iter()
    .enumerate()
    {
        let mut event = json!({ "v": 1, "seq": number, "ms": 0, "event": name, "attempt": 1 });
        for field in [
            "hole",
            "path",
            "model",
            "text",
            "hash",
            "stop-reason",
            "verdict",
            "stage",
            "cause",
            "import",
            "function",
            "name",
            "outcome",
            "message",
            "component",
            wild,
        ] {
            event[field] = json!(format!("{wild}{number}"));
        }
        event["diagnostics"] =
            json!([{ "code": wild, "level": wild, "message": wild, "rendered": wild }]);
        event["arguments"] = json!([{ "value": { wild: wild }, "labels": [] }]);
        event["result"] = json!({ "cut": wild, "size": 9 });
        text += &format!("{event}\n");
    }
    folder.write("wild.jsonl", &text);
    for flags in [
        &[][..],
        &["--full"],
        &["--stats"],
        &["--format", "json"],
        &["--stats", "--format", "json"],
    ] {
        let ended = folder.trace(&[&["wild.jsonl", "--color", "never"], flags].concat());
        assert_eq!(ended.code, Some(0), "{flags:?} {ended:?}");
        let hidden = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}".contains(c);
        assert!(
            !ended.stdout.contains(hidden),
            "{flags:?}: {:?}",
            ended.stdout
        );
        // Nor does it pass for a line of ours.
        assert!(
            !ended
                .stdout
                .lines()
                .any(|line| line.starts_with("session ended")),
            "{flags:?}: {}",
            ended.stdout
        );
    }
}

/// Through a pipe, in pieces, while it is being written; and closed by whoever reads.
#[test]
fn a_trace_is_read_from_a_pipe() {
    let text = fs::read(root().join("tests/trace/counted.jsonl")).unwrap();
    let start = |arguments: &[&str]| {
        Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut child = start(&["trace", "--stats", "--format", "json", "-"]);
    let mut pipe = child.stdin.take().unwrap();
    for piece in text.chunks(text.len() / 7) {
        pipe.write_all(piece).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = String::from_utf8(text).unwrap();
    count::compare("a pipe", &stats, &count::by_hand(&[&text]));

    let mut child = start(&["trace", "-"]);
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    assert_eq!(
        child.wait().unwrap().code(),
        Some(0),
        "whoever reads has seen enough"
    );
}

/// A trace of any size takes no more memory than a small one.
#[test]
fn memory_does_not_grow_with_the_file() {
    let mut child = Command::new(PROGRAM)
        .args(["trace", "--stats", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let mut written = 0;
    let text = "x".repeat(64 * 1024);
    for number in 0.. {
        let line = format!(
            "{{\"v\":1,\"seq\":{number},\"ms\":0,\"event\":\"call\",\"path\":\"h/{number}\",\"import\":\"i\",\"function\":\"f{number}\",\"arguments\":[\"{text}\"]}}\n"
        );
        pipe.write_all(line.as_bytes()).unwrap();
        written += line.len();
        if written > 64 * 1024 * 1024 {
            break;
        }
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(peak < 48 * 1024, "{peak} kB for a file of {written} bytes");
}
