//! Models: a server in OpenAI's form, a program, recordings, and what goes wrong with each.

use serde_json::json;

use crate::Test;
use crate::server::{Reply, Server};
use crate::sheet::Sheet;

pub(crate) const TESTS: &[Test] = &[
    ("openai-streamed", "audit", streamed),
    ("openai-failing", "audit", failing),
    ("openai-base-url", "audit", base_url),
    ("openai-no-key", "audit", no_key),
    ("unreachable", "audit", unreachable),
    ("command", "audit", command),
    ("command-failing", "audit", command_failing),
    ("model-settings", "audit", settings),
];

const KEY: &str = "sk-test-0123456789abcdef0123456789";

/// The answer in a recording.
fn recorded(sheet: &Sheet, attempt: u32) -> String {
    sheet.read(&format!("recorded/audit.{attempt}.md"))
}

/// Rejected, then accepted, each a stream of single bytes; recorded, and replayed from the recording alone.
fn streamed(sheet: &mut Sheet) {
    let answers = [1, 2].map(|attempt| Reply::Streamed(recorded(sheet, attempt)));
    let server = Server::start(answers.to_vec());
    sheet.set("OPENAI_BASE_URL", &server.base);
    sheet.set("OPENAI_API_KEY", KEY);
    let asked = [
        "run",
        "plan.wit",
        "--model",
        "openai:small",
        "--record",
        "kept",
        "--trace",
        "trace.jsonl",
    ];
    let ended = sheet.run(&asked);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[0].contains(&format!("Bearer {KEY}")));
    // The second prompt has the first answer and its diagnostics.
    assert!(requests[1].contains("std::fs::read_to_string") && requests[1].contains("error"));
    sheet.list("kept");
    for text in [
        ended.stdout,
        ended.stderr,
        sheet.read("trace.jsonl"),
        sheet.read("kept/audit.1.md"),
        sheet.read("kept/audit.2.md"),
    ] {
        assert!(
            !text.contains(KEY) && !text.contains("Bearer"),
            "the key is in {text}"
        );
    }
    sheet.set("OPENAI_BASE_URL", "");
    sheet.set("OPENAI_API_KEY", "");
    sheet.run(&["run", "plan.wit", "--model", "replay:kept", "--strict"]);
}

fn failing(sheet: &mut Sheet) {
    sheet.set("OPENAI_API_KEY", KEY);
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[limits]\nmodel-retries = 1",
    );
    for (status, message) in [
        (500, "the model fell over"),
        (401, "no such key"),
        (404, "no such model"),
        (400, "too long"),
        (402, "no money"),
        (429, "slower"),
    ] {
        let body = json!({"error": {"message": format!("{message} {KEY}"), "type": "x"}});
        let server = Server::start(vec![Reply::Whole(status, body)]);
        sheet.set("OPENAI_BASE_URL", &server.base);
        sheet.run(&[
            "run",
            "plan.wit",
            "--model",
            "openai:small",
            "--format",
            "json",
        ]);
    }
    let answer = |content: &str, finish: &str| {
        json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 10}})
    };
    for reply in [
        answer("", "stop"),
        answer("```rust\npub fn", "length"),
        json!({"choices": []}),
        json!("x"),
    ] {
        let server = Server::start(vec![Reply::Whole(200, reply)]);
        sheet.set("OPENAI_BASE_URL", &server.base);
        sheet.run(&["run", "plan.wit", "--model", "openai:small"]);
    }
}

/// The key is the user's, the manifest may be someone else's.
fn base_url(sheet: &mut Sheet) {
    let server = Server::start(vec![Reply::Whole(
        401,
        json!({"error": {"message": "who are you"}}),
    )]);
    sheet.set("OPENAI_API_KEY", KEY);
    sheet.edit(
        "lacuna.toml",
        "provider = \"replay\"\ndir = \"recorded\"",
        &format!(
            "provider = \"openai\"\nmodel = \"small\"\nbase-url = \"{}\"",
            server.base
        ),
    );
    sheet.run(&["run", "plan.wit"]);
    assert!(!server.requests()[0].contains(KEY));
    sheet.set("OPENAI_BASE_URL", &server.base);
    sheet.run(&["run", "plan.wit"]);
    assert!(server.requests()[1].contains(KEY));
}

fn no_key(sheet: &mut Sheet) {
    sheet.run(&["run", "plan.wit", "--model", "openai:small"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--model",
        "openai:small",
        "--format",
        "json",
    ]);
}

fn unreachable(sheet: &mut Sheet) {
    // Nobody listens there; a port that was just given back could be another test's by now.
    let port = 1;
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[limits]\nmodel-retries = 1",
    );
    sheet.set("OPENAI_BASE_URL", format!("http://127.0.0.1:{port}/v1"));
    sheet.run(&["run", "plan.wit", "--model", "openai:small"]);
    sheet.set("OPENAI_BASE_URL", "ftp://example.org");
    sheet.run(&["run", "plan.wit", "--model", "openai:small"]);
}

fn command(sheet: &mut Sheet) {
    sheet.write("answer.md", &recorded(sheet, 2));
    sheet.run(&["run", "plan.wit", "--model", "command:cat answer.md"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--model",
        "command:cat answer.md",
        "--record",
        "kept",
        "--format",
        "json",
    ]);
    sheet.run(&["run", "plan.wit", "--model", "replay:kept"]);
    sheet.run(&[
        "run",
        "plan.wit",
        "--model",
        "command:cat answer.md",
        "--record",
        "plan.wit/kept",
    ]);
}

fn command_failing(sheet: &mut Sheet) {
    for program in [
        "command:no-such-program-at-all",
        "command:sh -c 'echo it is broken >&2; exit 7'",
        "command:true",
        "command:sh -c 'kill -9 $$'",
    ] {
        sheet.run(&["run", "plan.wit", "--model", program]);
    }
}

fn settings(sheet: &mut Sheet) {
    for model in [
        "small",
        "default2",
        "opnai:small",
        "openai:",
        "anthropic:x",
        "command:'unclosed",
        "",
    ] {
        sheet.run(&["run", "plan.wit", "--model", model]);
    }
    sheet.edit(
        "lacuna.toml",
        "[models.default]\nprovider = \"replay\"\ndir = \"recorded\"\n",
        "",
    );
    sheet.run(&["run", "plan.wit"]);
}
