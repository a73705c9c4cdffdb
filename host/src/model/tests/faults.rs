//! What goes wrong, with every provider over HTTP: each fault has a name, and none shows a key.

use std::time::Duration;

use serde_json::{Value, json};

use super::dialects::Dialect::{Anthropic, Gemini, Ollama, OpenAi};
use super::dialects::{ALL, Dialect, SECRET, status};
use super::server::{Server, Step, response};
use super::*;
use crate::error::Explain;

/// How a request ended: the error, and how many requests there were.
async fn fails(dialect: Dialect, script: Vec<Vec<Step>>) -> (ModelError, usize) {
    let server = Server::play(script).await;
    let asked = Asked::default();
    let error = match asked.of(&dialect.at(&server.base)).await {
        Ok(answer) => panic!("{dialect:?}: {answer:?}"),
        Err(error) => error,
    };
    let shown = format!("{error} {error:?} {:?} {:?}", error.hint(), asked.notes());
    assert!(!shown.contains(SECRET), "{shown}");
    assert!(!error.to_string().contains('\x1b'), "{error}");
    (error, server.requests().len())
}

#[tokio::test]
async fn each_status_has_its_name() {
    for dialect in ALL {
        for (code, word, named, requests) in [
            (400, "invalid_request_error", "BadRequest", 1),
            (401, "authentication_error", "Unauthorised", 1),
            (402, "billing_error", "Payment", 1),
            (403, "permission_error", "Unauthorised", 1),
            (404, "not_found_error", "NotFound", 1),
            (413, "request_too_large", "BadRequest", 1),
            (429, "rate_limit_error", "RateLimited", 3),
            (500, "api_error", "Server", 3),
            (501, "x", "BadRequest", 1),
            (502, "x", "Server", 3),
            (503, "UNAVAILABLE", "Server", 3),
            (504, "timeout_error", "Server", 3),
            (529, "overloaded_error", "Server", 3),
            (302, "x", "BadRequest", 1),
        ] {
            let message = format!("no\u{1b}[1m: key {SECRET}");
            let body = dialect.error(code, word, &message);
            let (error, count) = fails(dialect, vec![status(code, "", &body)]).await;
            assert_eq!(
                (name(&error).as_str(), count),
                (named, requests),
                "{dialect:?} {code}: {error}"
            );
            let text = error.to_string();
            assert!(
                text.contains(&code.to_string()) && text.contains("key ***"),
                "{text}"
            );
        }
    }
}

/// What a service says in a way of its own.
#[tokio::test]
async fn errors_of_one_service_have_their_names() {
    let quota = |id: &str| {
        json!({"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": id}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}]}})
    };
    let wrong_key = json!({"error": {"code": 400, "message": "API key not valid", "status": "INVALID_ARGUMENT", "details": [
        {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]}});
    for (dialect, code, body, named, requests) in [
        (
            OpenAi,
            429,
            json!({"error": {"message": "quota", "code": "insufficient_quota"}}),
            "Payment",
            1,
        ),
        (
            Anthropic,
            400,
            Anthropic.error(
                400,
                "invalid_request_error",
                "Your credit balance is too low",
            ),
            "Payment",
            1,
        ),
        (
            Gemini,
            429,
            quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
            "RateLimited",
            1,
        ),
        (
            Gemini,
            429,
            quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"),
            "RateLimited",
            3,
        ),
        (Gemini, 400, wrong_key, "Unauthorised", 1),
        // A stream that is a list has a list as its error too.
        (
            Gemini,
            404,
            json!([{"error": {"code": 404, "message": "models/small is not found", "status": "NOT_FOUND"}}]),
            "NotFound",
            1,
        ),
        (
            Ollama,
            404,
            json!({"error": "model 'small' not found"}),
            "NotFound",
            1,
        ),
        (
            Ollama,
            500,
            json!({"error": "model requires more system memory (9 GiB) than is available (1 GiB)"}),
            "Server",
            3,
        ),
    ] {
        let (error, count) = fails(dialect, vec![status(code, "", &body)]).await;
        assert_eq!(
            (name(&error).as_str(), count),
            (named, requests),
            "{dialect:?}: {error}"
        );
    }
    let (error, _) = fails(
        Ollama,
        vec![status(
            404,
            "",
            &json!({"error": "model 'small' not found"}),
        )],
    )
    .await;
    assert!(
        error.hint().unwrap().contains("ollama pull small"),
        "{error}"
    );
}

#[tokio::test]
async fn waits_are_read_wherever_they_stand() {
    let delay = |text: &str| {
        json!({"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": text}]}})
    };
    let words =
        |dialect: Dialect| dialect.error(429, "rate_limit_error", "please try again in 200ms.");
    let date = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    for (dialect, headers, body, wait) in [
        (OpenAi, "Retry-After: 0\r\n", words(OpenAi), "0.0"),
        (OpenAi, "", words(OpenAi), "0.2"),
        (
            OpenAi,
            "Retry-After-Ms: 300\r\nRetry-After: 20\r\n",
            words(OpenAi),
            "0.3",
        ),
        (
            Anthropic,
            "Retry-After: 0.2\r\n",
            Anthropic.error(429, "rate_limit_error", "m"),
            "0.2",
        ),
        (
            Anthropic,
            date,
            Anthropic.error(429, "rate_limit_error", "m"),
            "0.0",
        ),
        (Gemini, "", delay("0.2s"), "0.2"),
        (Gemini, "", delay("0.300000000s"), "0.3"),
        (Ollama, date, Ollama.error(429, "", "m"), "0.0"),
        (Ollama, "Retry-After: 0.2\r\n", json!("m"), "0.2"),
    ] {
        let (complete, _) = dialect.stops();
        let server = Server::play(vec![
            status(429, headers, &body),
            status(200, "", &dialect.whole("x", complete)),
        ])
        .await;
        let asked = Asked::default();
        asked.of(&dialect.at(&server.base)).await.unwrap();
        let notes = asked.notes();
        assert!(
            notes[0].ends_with(&format!("retry 1 of 2 in {wait} s")),
            "{notes:?}"
        );
        assert!(!notes[0].contains("asks to wait"), "said once: {notes:?}");
    }
    for (dialect, headers, body) in [
        (OpenAi, "Retry-After: 3600\r\n", json!({})),
        (OpenAi, "Retry-After: 99999999999999999999\r\n", json!({})),
        (Anthropic, "Retry-After: 3600\r\n", json!({})),
        (Gemini, "", delay("3600s")),
        (
            Ollama,
            "Retry-After: Fri, 06 Nov 2099 08:49:37 GMT\r\n",
            json!({}),
        ),
    ] {
        let (error, count) = fails(dialect, vec![status(429, headers, &body)]).await;
        assert_eq!((name(&error).as_str(), count), ("RateLimited", 1));
        let wait = match headers {
            "" | "Retry-After: 3600\r\n" => "it asks to wait 3600 s",
            _ => "it asks to wait for more than a day",
        };
        assert!(error.to_string().ends_with(wait), "{error}");
    }
}

/// A stream of these pieces that the service ends with an error.
fn broken_off(dialect: Dialect, texts: &[&str], error: Value) -> Vec<Step> {
    let mut values: Vec<Value> = texts.iter().map(|text| dialect.piece(text)).collect();
    values.push(error);
    dialect.streamed(&dialect.write(&values))
}

#[tokio::test]
async fn errors_inside_an_answer_are_retried_only_before_the_first_text() {
    for (dialect, error, named) in [
        (
            OpenAi,
            json!({"error": {"message": "busy", "code": 503}}),
            "Server",
        ),
        (
            OpenAi,
            json!({"error": {"message": "slow", "type": "rate_limit_exceeded"}}),
            "RateLimited",
        ),
        (
            Anthropic,
            Anthropic.error(0, "overloaded_error", "Overloaded"),
            "Server",
        ),
        (
            Anthropic,
            Anthropic.error(0, "rate_limit_error", "slow"),
            "RateLimited",
        ),
        (
            Anthropic,
            Anthropic.error(0, "one_of_tomorrow", "?"),
            "Server",
        ),
        (Gemini, Gemini.error(503, "UNAVAILABLE", "busy"), "Server"),
        (
            Gemini,
            Gemini.error(429, "RESOURCE_EXHAUSTED", "slow"),
            "RateLimited",
        ),
        (
            Ollama,
            Ollama.error(0, "", "an error was encountered while running the model"),
            "Server",
        ),
    ] {
        let (complete, _) = dialect.stops();
        let good = dialect.streamed(&dialect.stream(&["x"], complete));
        let server = Server::play(vec![broken_off(dialect, &[], error.clone()), good]).await;
        let asked = Asked::default();
        assert_eq!(asked.of(&dialect.at(&server.base)).await.unwrap().text, "x");
        assert_eq!(asked.notes().len(), 1, "{dialect:?}");
        let (found, count) = fails(dialect, vec![broken_off(dialect, &["x"], error.clone())]).await;
        assert_eq!(
            (name(&found).as_str(), count),
            (named, 1),
            "{dialect:?}: {found}"
        );
        // The same as a whole answer of status 200.
        let (found, count) = fails(dialect, vec![status(200, "", &error)]).await;
        assert_eq!(
            (name(&found).as_str(), count),
            (named, 3),
            "{dialect:?}: {found}"
        );
    }
}

#[tokio::test]
async fn lasting_errors_inside_an_answer_end_at_once() {
    for (dialect, error, named) in [
        (
            OpenAi,
            json!({"error": {"message": "bad", "type": "invalid_request_error"}}),
            "BadRequest",
        ),
        (
            OpenAi,
            json!({"error": {"message": "bad", "code": 401}}),
            "Unauthorised",
        ),
        (
            Anthropic,
            Anthropic.error(0, "invalid_request_error", "bad"),
            "BadRequest",
        ),
        (
            Anthropic,
            Anthropic.error(0, "authentication_error", "bad"),
            "Unauthorised",
        ),
        (
            Anthropic,
            Anthropic.error(0, "billing_error", "bad"),
            "Payment",
        ),
        (
            Anthropic,
            Anthropic.error(0, "not_found_error", "bad"),
            "NotFound",
        ),
        (
            Gemini,
            Gemini.error(400, "INVALID_ARGUMENT", "bad"),
            "BadRequest",
        ),
        (
            Gemini,
            Gemini.error(403, "PERMISSION_DENIED", "bad"),
            "Unauthorised",
        ),
        (
            Ollama,
            Ollama.error(0, "", "model 'small' not found"),
            "NotFound",
        ),
    ] {
        let (found, count) = fails(dialect, vec![broken_off(dialect, &[], error)]).await;
        assert_eq!(
            (name(&found).as_str(), count),
            (named, 1),
            "{dialect:?}: {found}"
        );
    }
}

#[tokio::test]
async fn cut_and_empty_answers_are_named_streamed_or_not() {
    for dialect in ALL {
        let (complete, cut) = dialect.stops();
        for (text, stop, named) in [
            ("fn f() {", cut, "CutByLength"),
            // A model that thought until its tokens were used up has no text at all.
            ("", cut, "CutByLength"),
            (" \n", complete, "Empty"),
        ] {
            for script in [
                status(200, "", &dialect.whole(text, stop)),
                dialect.streamed(&dialect.stream(&[text], stop)),
            ] {
                let (error, _) = fails(dialect, vec![script]).await;
                assert_eq!(name(&error), named, "{dialect:?}: {error}");
                assert!(
                    named == "Empty" || error.to_string().contains(cut),
                    "{error}"
                );
            }
        }
    }
    let full = "model_context_window_exceeded";
    for script in [
        status(200, "", &Anthropic.whole("x", full)),
        Anthropic.streamed(&Anthropic.stream(&["x"], full)),
    ] {
        let (error, _) = fails(Anthropic, vec![script]).await;
        assert_eq!(name(&error), "WindowFull", "{error}");
        assert!(!error.hint().unwrap().contains("max-output-tokens"));
    }
}

#[tokio::test]
async fn refusals_are_named_streamed_or_not() {
    let mut told = Anthropic.whole("I", "refusal");
    told["stop_details"] =
        json!({"type": "refusal", "category": "cyber", "explanation": "not this"});
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 4}});
    let mut scripts = vec![
        (
            OpenAi,
            status(
                200,
                "",
                &json!({"choices": [{"message": {"content": null, "refusal": "not this"}, "finish_reason": "stop"}]}),
            ),
            "not this",
        ),
        (
            OpenAi,
            status(200, "", &OpenAi.whole("x", "content_filter")),
            "filter",
        ),
        (
            Anthropic,
            status(200, "", &told),
            "refuses: not this; it wrote: I",
        ),
        (
            Anthropic,
            status(200, "", &Anthropic.whole("I\u{1b} will not", "refusal")),
            "refuses: I\\u{1b} will not",
        ),
        (
            Anthropic,
            Anthropic.streamed(&Anthropic.stream(&["I", "x"], "refusal")),
            "refuses: Ix",
        ),
        (
            Anthropic,
            status(200, "", &Anthropic.whole(" ", "refusal")),
            "it gives no reason",
        ),
        (
            OpenAi,
            status(
                200,
                "",
                &json!({"choices": [{"message": {"refusal": "Not that."}, "finish_reason": "content_filter"}]}),
            ),
            "refuses: a content filter stopped the answer; it wrote: Not that.",
        ),
        (Gemini, status(200, "", &blocked), "PROHIBITED_CONTENT"),
        (
            Gemini,
            Gemini.streamed(&Gemini.write(&[blocked])),
            "PROHIBITED_CONTENT",
        ),
    ];
    for reason in [
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
    ] {
        scripts.push((Gemini, status(200, "", &Gemini.whole("", reason)), reason));
        let stream = Gemini.stream(&["fn f() {"], reason);
        scripts.push((Gemini, Gemini.streamed(&stream), reason));
    }
    for (dialect, script, words) in scripts {
        let (error, count) = fails(dialect, vec![script]).await;
        assert_eq!((name(&error).as_str(), count), ("Refusal", 1), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn ends_that_are_none_are_named() {
    for reason in ["OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"] {
        let script = status(200, "", &Gemini.whole("fn f() {", reason));
        let (error, _) = fails(Gemini, vec![script]).await;
        assert_eq!(name(&error), "Malformed", "{error}");
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[tokio::test]
async fn broken_answers_are_named() {
    for dialect in ALL {
        let half = dialect.streamed(&dialect.write(&[dialect.piece("fn f() {")]));
        let (error, _) = fails(dialect, vec![half]).await;
        assert!(error.to_string().contains("ended in the middle"), "{error}");
        let short =
            b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Type: application/json\r\n\r\n{\"a"
                .to_vec();
        let cut: &[u8] = match dialect {
            Ollama => b"{\"message\":{\"con\n",
            _ => b"data: {\"x\n\n",
        };
        for script in [
            vec![Step::Send(short)],
            dialect.streamed(cut),
            dialect.streamed(&dialect.write(&[json!(7)])),
            status(200, "", &json!({})),
            status(200, "", &json!("x")),
            status(200, "", &json!([])),
            vec![Step::Send(response(
                200,
                "Content-Type: text/html\r\n",
                "<html>log in\x1b[1m</html>",
            ))],
        ] {
            let (error, count) = fails(dialect, vec![script]).await;
            assert_eq!(
                (name(&error).as_str(), count),
                ("Malformed", 1),
                "{dialect:?}: {error}"
            );
        }
        let (error, count) =
            fails(dialect, vec![vec![Step::Send(b"garbage\r\n\r\n".to_vec())]]).await;
        assert_eq!(
            (name(&error).as_str(), count),
            ("Unreachable", 3),
            "{dialect:?}: {error}"
        );
        let (_, address, _) = dialect.names();
        assert!(error.hint().unwrap().contains(address));
    }
}

#[tokio::test]
async fn limits_hold_for_every_provider() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let large = "x".repeat(10_001);
        let endless = vec![b'x'; 200_000];
        let mut flood = dialect.streamed(&[]);
        flood.extend(
            (0..20).map(|_| Step::Send(dialect.write(&[dialect.piece(&"x".repeat(1000))]))),
        );
        flood.push(Step::Hang);
        let mut line = dialect.streamed(&endless);
        line.push(Step::Hang);
        for script in [
            status(200, "", &dialect.whole(&large, complete)),
            flood,
            line,
        ] {
            let (error, _) = fails(dialect, vec![script]).await;
            assert_eq!(name(&error), "TooLarge", "{dialect:?}: {error}");
        }
        let silent = Asked {
            limits: ModelLimits {
                silence: Duration::from_millis(100),
                ..Asked::default().limits
            },
            ..Asked::default()
        };
        let mut begun = dialect.streamed(&dialect.write(&[dialect.piece("x")]));
        begun.push(Step::Hang);
        for script in [vec![Step::Hang], begun] {
            let server = Server::always(script.clone()).await;
            let error = silent.of(&dialect.at(&server.base)).await.unwrap_err();
            assert_eq!(name(&error), "Silence", "{error}");
            let short = dialect.with(&server.base, |config| {
                config.timeout = Duration::from_millis(100)
            });
            let error = Asked::default().of(&short).await.unwrap_err();
            assert_eq!(name(&error), "Timeout", "{error}");
            let hasty = Asked {
                time: Duration::from_millis(100),
                ..Asked::default()
            };
            let endless = dialect.with(&server.base, |config| config.timeout = Duration::ZERO);
            let error = hasty.of(&endless).await.unwrap_err();
            assert_eq!(name(&error), "Deadline", "{error}");
        }
    }
}

#[tokio::test]
async fn an_error_of_a_megabyte_is_cut() {
    for dialect in ALL {
        let body = dialect.error(400, "x", &"é".repeat(500_000));
        let (error, _) = fails(dialect, vec![status(400, "", &body)]).await;
        assert_eq!(name(&error), "BadRequest");
        assert!(error.to_string().chars().count() < 700, "{error}");
    }
}
