//! One plan through every provider, and what goes wrong with each that is asked over HTTP. No key is ever shown.

use serde_json::{Value, json};

use crate::Test;
use crate::dialects::Dialect::{Anthropic, Gemini, Ollama, OpenAi};
use crate::dialects::{Dialect, with_header};
use crate::server::{Reply, Server};
use crate::sheet::Sheet;
use crate::support::program::Ended;

pub(crate) const TESTS: &[Test] = &[
    ("every-provider", "audit", every_provider),
    ("anthropic-failing", "audit", |sheet| {
        failing(sheet, Anthropic)
    }),
    ("gemini-failing", "audit", |sheet| failing(sheet, Gemini)),
    ("ollama-failing", "audit", |sheet| failing(sheet, Ollama)),
    ("openai-answers-failing", "audit", |sheet| {
        failing(sheet, OpenAi)
    }),
    ("models-invalid", "audit", models_invalid),
];

const KEY: &str = "local-secret-0123456789abcdef";

/// Rejected first (a stream of single bytes), accepted then (in one piece), whoever is asked.
fn every_provider(sheet: &mut Sheet) {
    let answers = [1, 2].map(|attempt| sheet.read(&format!("recorded/audit.{attempt}.md")));
    let price = "price = { input = 1000, output = \"2000 USD\" }";
    let mut manifest = sheet.read("lacuna.toml");
    for name in ["openai", "anthropic", "gemini", "ollama"] {
        manifest +=
            &format!("[models.{name}]\nprovider = \"{name}\"\nmodel = \"small\"\n{price}\n");
    }
    manifest += "[models.program]\nprovider = \"command\"\ncommand = \"sh answer.sh\"\n[models.person]\nprovider = \"human\"\n[budget]\nusd = 20\n";
    sheet.write("lacuna.toml", &manifest);
    // The first answer comes once.
    sheet.write("answer.sh", "cat > /dev/null\ncat next.md recorded/audit.2.md 2> /dev/null | sed '/^```$/q'\nrm -f next.md\n");
    sheet.write("edit.sh", "{ echo; sh answer.sh < /dev/null; } > \"$1\"\n");
    for dialect in [OpenAi, Anthropic, Gemini, Ollama] {
        let (name, address, key) = dialect.names();
        let (complete, _) = dialect.stops();
        let server = Server::start(vec![
            dialect.streamed(&answers[0], complete),
            dialect.whole(&answers[1], complete),
        ]);
        sheet.set(address, dialect.address(&server.base));
        sheet.set(key, KEY);
        let trace = format!("{name}.jsonl");
        let ended = sheet.run(&[
            "run", "plan.wit", "--model", name, "--trace", &trace, "--record", name,
        ]);
        sheet.set(address, "");
        sheet.set(key, "");
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        for request in &requests {
            let times = if dialect == Ollama { 0 } else { 1 };
            assert_eq!(request.matches(KEY).count(), times, "{request}");
        }
        // The second prompt has the first answer, what is wrong with it, and no thought.
        assert!(requests[1].contains("std::fs::read_to_string") && requests[1].contains("E0433"));
        assert!(!requests[1].contains("thinking"));
        let trace = sheet.read(&trace);
        assert_eq!(
            costs(&trace),
            [(1000, 200, 1.4), (1000, 200, 1.4)],
            "{name}"
        );
        no_key_in(&ended, &[trace, sheet.read(&format!("{name}/audit.1.md"))]);
        assert_eq!(ended.code, Some(0));
    }
    sheet.write("next.md", &answers[0]);
    sheet.run(&["run", "plan.wit", "--model", "program"]);
    sheet.write("next.md", &answers[0]);
    sheet.set("EDITOR", "sh edit.sh");
    sheet.run_on_terminal(&["run", "plan.wit", "--model", "person"], "", ["", ""]);
    sheet.run(&["run", "plan.wit", "--model", "replay:gemini", "--strict"]);
}

/// Tokens in, tokens out and cost of each answer in a trace.
fn costs(trace: &str) -> Vec<(u64, u64, f64)> {
    trace
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "answer")
        .map(|event| {
            let tokens = &event["tokens"];
            let usd = event["usd"].as_f64().unwrap();
            (
                tokens["in"].as_u64().unwrap(),
                tokens["out"].as_u64().unwrap(),
                (usd * 1e6).round() / 1e6,
            )
        })
        .collect()
}

fn no_key_in(ended: &Ended, files: &[String]) {
    for text in [&ended.stdout, &ended.stderr].into_iter().chain(files) {
        assert!(!text.contains(KEY), "the key is in {text}");
    }
}

fn failing(sheet: &mut Sheet, dialect: Dialect) {
    let (name, address, key) = dialect.names();
    let (complete, cut) = dialect.stops();
    sheet.set(key, KEY);
    sheet.edit(
        "lacuna.toml",
        "schema = 1",
        "schema = 1\n[limits]\nmodel-retries = 1",
    );
    let refuses = |status: u16, word: &str, message: &str| {
        let body = dialect.error(status, word, &format!("{message} {KEY}"));
        with_header(status, "Retry-After: 0", &body)
    };
    let broken_off = |error: Value| dialect.stream(&[dialect.piece("fn"), error]);
    let mut replies = vec![
        refuses(400, "invalid_request_error", "too long"),
        refuses(401, "authentication_error", "who are you"),
        refuses(402, "billing_error", "no money"),
        refuses(403, "permission_error", "not for you"),
        refuses(404, "not_found_error", "no such model"),
        refuses(429, "rate_limit_error", "slower"),
        refuses(500, "api_error", "it fell over"),
        refuses(529, "overloaded_error", "too much to do"),
        with_header(429, "Retry-After: 3600", &json!({})),
        with_header(
            429,
            "Retry-After: Fri, 06 Nov 2099 08:49:37 GMT",
            &json!({}),
        ),
        broken_off(dialect.error(503, "overloaded_error", &format!("too much to do {KEY}"))),
        broken_off(json!({"type": "ping"})),
        dialect.whole("```rust\npub fn", cut),
        dialect.streamed("```rust\npub fn", cut),
        dialect.whole("", complete),
        dialect.streamed("", complete),
        Reply::Whole(200, json!({})),
        Reply::Whole(200, json!("x")),
    ];
    replies.extend(own(dialect));
    for reply in replies {
        let server = Server::start(vec![reply]);
        sheet.set(address, dialect.address(&server.base));
        let model = format!("{name}:small");
        let ended = sheet.run(&["run", "plan.wit", "--model", &model, "--trace", "t.jsonl"]);
        assert_eq!(ended.code, Some(3), "{}", ended.stderr);
        no_key_in(&ended, &[sheet.read("t.jsonl")]);
    }
    // Nobody listens on a port that was just given back.
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", gone.local_addr().unwrap());
    drop(gone);
    sheet.set(address, dialect.address(&base));
    sheet.run(&["run", "plan.wit", "--model", &format!("{name}:small")]);
    sheet.set(address, "ftp://example.org");
    sheet.run(&["run", "plan.wit", "--model", &format!("{name}:small")]);
    if dialect != Ollama {
        sheet.set(address, "");
        sheet.set(key, "");
        sheet.run(&["run", "plan.wit", "--model", &format!("{name}:small")]);
    }
}

/// Faults that only this service has.
fn own(dialect: Dialect) -> Vec<Reply> {
    match dialect {
        OpenAi => vec![
            Reply::Whole(
                200,
                json!({"choices": [{"message": {"content": null, "refusal": "I would rather not"}, "finish_reason": "stop"}]}),
            ),
            dialect.streamed("x", "content_filter"),
        ],
        Anthropic => vec![
            dialect.streamed("I", "refusal"),
            dialect.whole("x", "model_context_window_exceeded"),
            Reply::Whole(
                400,
                dialect.error(
                    400,
                    "invalid_request_error",
                    "Your credit balance is too low",
                ),
            ),
        ],
        Gemini => vec![
            Reply::Whole(
                200,
                json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
            ),
            dialect.streamed("x", "SAFETY"),
            dialect.whole("x", "RECITATION"),
            dialect.whole("x", "OTHER"),
            Reply::Whole(
                400,
                json!({"error": {"code": 400, "message": "API key not valid", "details": [{"reason": "API_KEY_INVALID"}]}}),
            ),
            Reply::Whole(
                429,
                json!({"error": {"code": 429, "message": "quota", "details": [{"retryDelay": "3600s"}]}}),
            ),
            Reply::Whole(
                429,
                json!({"error": {"code": 429, "message": "quota of the day", "details": [{"violations": [{"quotaId": "RequestsPerDay"}]}]}}),
            ),
        ],
        Ollama => vec![
            Reply::Whole(200, json!({"error": "model 'small' not found"})),
            Reply::Whole(
                500,
                json!({"error": "model requires more system memory (9 GiB) than is available (1 GiB)"}),
            ),
        ],
    }
}

/// What stands in a manifest and cannot work is refused with its line, before anyone is asked.
fn models_invalid(sheet: &mut Sheet) {
    let good = sheet.read("lacuna.toml");
    for table in [
        "[models.a]\nprovider = \"antropic\"\nmodel = \"x\"",
        "[models.a]\nprovider = \"gemini\"\nmodle = \"x\"",
        "[models.a]\nprovider = \"human\"\ntemperature = 0.2",
        "[models.a]\nprovider = \"ollama\"\nmodel = \"x\"\nprice = { input = \"3\", output = \"1.25 EUR\" }",
        "[models.a]\nprovider = \"ollama\"\nmodel = \"x\"\nprice = \"3 USD\"",
        "[models.default]\nprovider = \"human\"",
    ] {
        sheet.write("lacuna.toml", &format!("{good}{table}\n"));
        sheet.run(&["run", "plan.wit"]);
    }
    sheet.write("lacuna.toml", &good);
    for model in ["anthropic:", "human:someone", "gemni:x", "ollama"] {
        sheet.run(&["run", "plan.wit", "--model", model]);
    }
}
