//! Traces as they are read back, whatever is in them.

use std::io::Cursor;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::trace::{Counter, Event, MAX_LINE, ReadError, Reader, Stats, Tree};

fn read(bytes: &[u8]) -> (Vec<Event>, Option<ReadError>, bool) {
    let mut reader = Reader::new(Cursor::new(bytes));
    let (mut events, mut failed) = (Vec::new(), None);
    for event in &mut reader {
        match event {
            Ok(event) => events.push(event),
            Err(error) => failed = Some(error),
        }
    }
    assert!(reader.next().is_none());
    (events, failed, reader.is_cut())
}

fn error(bytes: &[u8]) -> String {
    read(bytes).1.expect("it is no trace").to_string()
}

fn line(fields: Json) -> String {
    let mut event = json!({ "v": 1, "seq": 0, "ms": 0 });
    for (name, value) in fields.as_object().unwrap() {
        event[name] = value.clone();
    }
    format!("{event}\n")
}

/// A session with one hole: a rejection, an acceptance, a run that prints and calls.
fn sample() -> String {
    [
        json!({ "event": "session-start", "plan": "blake3:0123456789", "versions": { "lacuna": "0.1.0" } }),
        json!({ "event": "hole-start", "hole": "a", "path": "a", "type": ["pub fn f(n: u32) -> u32"],
            "grants": [{ "import": "repo", "functions": ["read-text"], "implicit": false }] }),
        json!({ "event": "prompt", "hole": "a", "path": "a", "attempt": 1, "model": "m", "text": "Do\nit", "hash": "blake3:ab", "tokens": 2 }),
        json!({ "event": "answer", "hole": "a", "path": "a", "attempt": 1, "model": "m", "text": "no", "tokens": { "in": 10, "out": 5 }, "estimated": false, "usd": 0.5, "millis": 1200, "stop-reason": "stop" }),
        json!({ "event": "verdict", "hole": "a", "path": "a", "attempt": 1, "verdict": "rejected", "stage": "compile", "omitted": 2, "repaired": [],
            "diagnostics": [{ "code": "E0382", "level": "error", "message": "use of moved value", "spans": [{ "start": { "line": 2, "column": 7 } }], "rendered": "error[E0382]: use\n --> x" }],
            "hash": { "component": null }, "millis": { "compile": 30, "link": 0 } }),
        json!({ "event": "prompt", "hole": "a", "path": "a", "attempt": 2, "model": "m", "text": { "cut": "Do", "size": 70000, "hash": "blake3:cd" }, "hash": "blake3:cd", "tokens": 2 }),
        json!({ "event": "answer", "hole": "a", "path": "a", "attempt": 2, "model": "m", "text": "n + 1", "tokens": { "in": 20, "out": 6 }, "estimated": true, "usd": null, "millis": 300 }),
        json!({ "event": "verdict", "hole": "a", "path": "a", "attempt": 2, "verdict": "accepted", "stage": null, "omitted": 0, "diagnostics": [],
            "repaired": [{ "span": { "start": { "line": 1, "column": 3 } }, "replacement": "&" }], "hash": { "component": "blake3:ef" }, "millis": { "compile": 40, "link": 2 } }),
        json!({ "event": "run-start", "hole": "a", "path": "a", "component": "blake3:ef", "function": "f", "arguments": [{ "value": 7, "labels": [] }] }),
        json!({ "event": "call", "hole": "a", "path": "a", "import": "repo", "function": "read-text", "millis": 3, "irreversible": false,
            "arguments": [{ "value": "x", "labels": [] }], "result": { "value": { "err": "not-found" }, "labels": [] } }),
        json!({ "event": "log", "hole": "a", "path": "a", "text": "\u{1b}[31mred\nlog" }),
        json!({ "event": "limit", "hole": "a", "path": "a", "name": "fuel", "at": 5, "used": 6 }),
        json!({ "event": "run-end", "hole": "a", "path": "a", "outcome": "limit", "fuel": 6, "memory": 1000, "millis": 9, "message": "limit `fuel` reached" }),
        json!({ "event": "hole-end", "hole": "a", "path": "a", "outcome": "limit" }),
        json!({ "event": "session-end", "outcome": "limit", "ms": 1900, "spent": { "model-calls": 2, "tokens": 41, "usd": 0.5 } }),
    ]
    .into_iter()
    .map(line)
    .collect()
}

fn tree(bytes: &[u8], full: bool) -> String {
    let mut text = String::new();
    let mut line = |_, line: &str| {
        text += line;
        text.push('\n');
        Ok(())
    };
    let mut tree = Tree::new(full, &mut line);
    let (events, _, cut) = read(bytes);
    events.iter().for_each(|event| tree.event(event).unwrap());
    tree.finish(cut).unwrap();
    text
}

fn stats(bytes: &[u8]) -> Stats {
    let mut counter = Counter::default();
    read(bytes).0.iter().for_each(|event| counter.event(event));
    counter.finish()
}

#[test]
fn a_trace_is_shown_as_a_tree() {
    assert_eq!(
        tree(sample().as_bytes(), false),
        "session of lacuna 0.1.0, plan blake3:01234567
a
  pub fn f(n: u32) -> u32
  granted repo: read-text
  attempt 1
    prompt  5 B, about 2 tokens, blake3:ab, to m
    answer  10 tokens in, 5 out, 0.5000 USD, 1.2 s, stop
    rejected at compile in 30 ms: ownership
      error[E0382] at 2:7: use of moved value
      … and 2 more
  attempt 2
    prompt  68 KiB, about 2 tokens, blake3:cd, to m
    answer  about 20 tokens in, 6 out, 300 ms
    accepted in 42 ms, component blake3:ef
      the compiler's fix was applied at 1:3: `&`
  run f(7), component blake3:ef
    repo.read-text(\"x\") -> {\"err\":\"not-found\"}, 3 ms
    log | \\u{1b}[31mred\\nlog
    limit fuel reached: 6 of 5
    limit in 9 ms, 6 fuel, 1.0 KiB: limit `fuel` reached
  ended: limit
session ended: limit, 2 model calls, 41 tokens, 0.5000 USD, 1.9 s
"
    );
}

#[test]
fn texts_are_shown_in_full_behind_a_mark() {
    let text = tree(sample().as_bytes(), true);
    for part in [
        "      | Do\n      | it\n",
        "      | error[E0382]: use\n      |  --> x\n",
        "      | Do\n      … cut by the trace, 68 KiB in all\n",
        "log | \\u{1b}[31mred\\nlog\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
}

#[test]
fn a_trace_is_counted() {
    let stats = stats(sample().as_bytes());
    let one = |name: &str| [(name.to_owned(), 1)].into();
    assert_eq!(stats.sessions, one("limit"));
    assert_eq!(stats.holes, one("limit"));
    assert_eq!(stats.runs, one("limit"));
    assert_eq!(stats.limits, one("fuel"));
    let all = &stats.generations;
    assert_eq!((all.prompts, all.answers), (2, 2));
    assert_eq!((all.accepted, all.rejected, all.repaired), (1, 1, 1));
    assert_eq!(all.rejected_at, one("compile"));
    assert_eq!(
        all.causes,
        one("ownership"),
        "from the codes, since the event has no cause"
    );
    assert_eq!((all.holes_asked, all.first_try), (1, 0));
    assert_eq!(all.first_try_share, Some(0.0));
    assert_eq!(all.attempts_per_hole, [(2, 1)].into());
    assert_eq!(all.retries_until_accepted, [(1, 1)].into());
    assert_eq!((all.tokens.input, all.tokens.output), (10, 5));
    assert_eq!(
        (all.tokens_estimated.input, all.tokens_estimated.output),
        (20, 6)
    );
    assert_eq!((all.usd, all.priced), (0.5, 1));
    assert_eq!((all.model_millis, all.judge_millis), (1500, 72));
    let calls = stats.calls["repo.read-text"];
    assert_eq!(
        (calls.count, calls.errors, calls.failed, calls.millis),
        (1, 1, 0, 3)
    );
    assert_eq!(stats.models["m"], *all);
}

/// What has begun and not ended is counted as such, in a trace that is cut anywhere.
#[test]
fn a_trace_may_end_anywhere() {
    let sample = sample();
    let lines: Vec<&str> = sample.lines().collect();
    for kept in 1..lines.len() {
        let whole = lines[..kept].join("\n") + "\n";
        let (events, failed, cut) = read(whole.as_bytes());
        assert_eq!((events.len(), failed.is_none(), cut), (kept, true, false));
        let stats = stats(whole.as_bytes());
        assert_eq!(stats.sessions["unfinished"], 1);
        assert!(tree(whole.as_bytes(), false).contains("has not ended"));
        // A last line that is whole but for its end is one; a part of one is not.
        let (events, failed, cut) = read(whole.trim_end().as_bytes());
        assert_eq!((events.len(), failed.is_none(), cut), (kept, true, false));
        let part = format!("{whole}{}", &lines[kept][..lines[kept].len() / 2]);
        let (events, failed, cut) = read(part.as_bytes());
        assert_eq!(
            (events.len(), failed.is_none(), cut),
            (kept, true, true),
            "{part}"
        );
        assert!(tree(part.as_bytes(), false).contains("the last line is not complete"));
    }
}

#[test]
fn what_is_no_trace_is_said_with_its_line() {
    let good = line(json!({ "event": "log", "text": "x" }));
    for (bytes, said) in [
        (String::new(), "there is no event in it"),
        ("\n \n".to_owned(), "there is no event in it"),
        (
            "{\"v\":1,".to_owned(),
            "line 1 is no event of a trace: it is not JSON (EOF while parsing a value, column 7)",
        ),
        (
            format!("{good}x\n"),
            "line 2 is no event of a trace: it is not JSON (expected value, column 1)",
        ),
        (
            format!("{good}\n[1]\n"),
            "line 3 is no event of a trace: it is no JSON object",
        ),
        (
            format!("{good}{{}}\n"),
            "line 2 is no event of a trace: it has no version `v`",
        ),
        (
            format!("{good}{{\"v\":\"1\"}}\n"),
            "line 2 is no event of a trace: its version `v` is no number",
        ),
        (
            format!("{good}{{\"v\":1,\"event\":1}}\n"),
            "line 2 is no event of a trace: it does not say which `event` it is",
        ),
        (
            format!("{good}{{\"v\":2,\"event\":\"log\"}}\n"),
            "line 2 has version 2 of the trace's form; this program reads version 1",
        ),
        (
            "{\"v\":2,\"event\":\"log\"}".to_owned(),
            "line 1 has version 2 of the trace's form; this program reads version 1",
        ),
    ] {
        assert_eq!(error(bytes.as_bytes()), said, "{bytes:?}");
    }
    assert_eq!(
        error(b"\x7fELF\x02\x01\0\0\xff"),
        "line 1 is no event of a trace: it is not UTF-8 text"
    );
    assert_eq!(
        error(&[0; 100]),
        "line 1 is no event of a trace: it is not JSON (expected value, column 1)"
    );
    assert_eq!(
        error(&vec![b' '; MAX_LINE + 1]),
        "line 1 is longer than 16 MiB"
    );
    let deep = format!("{{\"v\":1,\"event\":{}", "[".repeat(100_000));
    assert!(
        error(deep.as_bytes()).contains("recursion limit"),
        "{}",
        error(deep.as_bytes())
    );
}

/// Events and fields that nobody knows, and known fields of another form.
#[test]
fn what_is_not_known_is_no_error() {
    let text = line(json!({ "event": "merge", "path": "a/0", "keys": ["x"], "new": { "a": [1] } }))
        + &line(
            json!({ "event": "verdict", "path": 7, "attempt": -1, "diagnostics": { "a": 1 }, "stage": [] }),
        )
        + &line(
            json!({ "event": "answer", "path": "a", "attempt": 1, "tokens": "many", "usd": "much", "millis": 1e300 }),
        );
    let (events, failed, _) = read(text.as_bytes());
    assert_eq!((events.len(), failed.is_none()), (3, true));
    let shown = tree(text.as_bytes(), true);
    assert!(
        shown.contains("merge  keys=[\"x\"] new={\"a\":[1]}"),
        "{shown}"
    );
    let stats = stats(text.as_bytes());
    assert_eq!((stats.given.rejected, stats.generations.answers), (1, 1));
}

#[test]
fn holes_are_found_by_name_and_by_place() {
    let event = |path: &str, hole: &str| {
        let text = line(json!({ "event": "log", "path": path, "hole": hole }));
        read(text.as_bytes()).0.remove(0)
    };
    assert!(event("audit/0", "names").is_of("audit"));
    assert!(event("audit/0", "names").is_of("audit/0"));
    assert!(event("audit/0", "names").is_of("names"));
    assert!(!event("audits", "audits").is_of("audit"));
    assert!(!event("audit/10", "names").is_of("audit/1"));
}

/// Names that a table would have to remember come from a file that anyone may have written.
#[test]
fn a_table_does_not_grow_without_end() {
    let text: String = (0..3000)
        .map(|number| {
            line(json!({ "event": "call", "import": "i", "function": format!("f{number}") }))
        })
        .collect();
    let stats = stats(text.as_bytes());
    assert_eq!(stats.calls.len(), 1001);
    assert_eq!(stats.calls["(others)"].count, 2000);
    let open: String = (0..25_000)
        .map(|number| line(json!({ "event": "hole-start", "path": format!("p{number}") })))
        .collect();
    assert_eq!(self::stats(open.as_bytes()).holes["unfinished"], 25_000);
}

proptest! {
    /// Bytes of a trace, some of them changed, added or taken away.
    #[test]
    fn no_mutation_is_a_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..4, any::<u8>()), 1..12),
        full in any::<bool>(),
    ) {
        let mut bytes = sample().into_bytes();
        for (at, how, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        let shown = tree(&bytes, full);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        stats(&bytes);
    }

    /// Values of any form in the place of those that are expected.
    #[test]
    fn no_value_is_a_panic(index in any::<prop::sample::Index>(), field in any::<prop::sample::Index>(), choice in 0_usize..9, full in any::<bool>()) {
        let values = [json!(null), json!(-1), json!(u64::MAX), json!(1e308), json!("\u{202e}\u{7}"), json!([[]]), json!({}), json!({ "cut": { "cut": 1 }, "value": [] }), json!(true)];
        let sample = sample();
        let mut lines: Vec<Json> = sample.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let at = index.index(lines.len());
        let fields = lines[at].as_object_mut().unwrap();
        let name = fields.keys().nth(field.index(fields.len())).unwrap().clone();
        if name != "v" && name != "event" {
            fields[&name] = values[choice].clone();
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let shown = tree(text.as_bytes(), full);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'), "{shown:?}");
        stats(text.as_bytes());
    }
}
