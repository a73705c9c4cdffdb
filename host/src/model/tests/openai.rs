use std::time::Duration;

use serde_json::{Value, json};

use super::server::{Server, Step, json as answer, response, stream, stream_head};
use super::*;
use crate::error::Explain;
use crate::model::http::Http;
use crate::model::openai::OpenAi;

const SECRET: &str = "local-secret-0123456789";

fn openai(base: &str) -> Http {
    with(base, |_| ())
}

fn with(base: &str, change: impl FnOnce(&mut crate::plan::manifest::ModelConfig)) -> Http {
    let environment =
        Environment::from_variables([("OPENAI_BASE_URL", base), ("OPENAI_API_KEY", SECRET)]);
    let mut config = parse_spec("openai:small").unwrap();
    change(&mut config);
    impatient(Http::open(&OpenAi, &config, &environment).unwrap())
}

fn whole(text: &str, finish: &str) -> Value {
    json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": text, "refusal": null}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3}})
}

fn piece(text: &str) -> String {
    format!(
        "data: {}\n\n",
        json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
    )
}

const END: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n\
                   data: {\"choices\":[],\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n";

async fn error(steps: Vec<Step>) -> ModelError {
    let server = Server::always(steps).await;
    let error = Asked::default()
        .of(&openai(&server.base))
        .await
        .unwrap_err();
    assert!(!format!("{error} {error:?} {:?}", error.hint()).contains(SECRET));
    error
}

#[tokio::test]
async fn a_stream_byte_by_byte_is_read_and_counted() {
    let events = format!(
        ": hello\r\n\r\n{}{}{END}",
        piece("fn é"),
        piece("漢🦀()\r\n {}")
    )
    .replace('\n', "\r\n")
    .replace("\r\r", "\r");
    let server = Server::always(vec![
        Step::Send(stream_head()),
        Step::Trickle(events.into_bytes()),
    ])
    .await;
    let found = Asked::default().of(&openai(&server.base)).await.unwrap();
    assert_eq!(found.text, "fn é漢🦀()\r\n {}");
    assert_eq!((found.tokens_in, found.tokens_out), (Some(12), Some(3)));
    assert_eq!(found.stop_reason.as_deref(), Some("stop"));

    let sent = server.requests().remove(0);
    assert!(
        sent.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{sent}"
    );
    assert!(
        sent.contains(&format!("authorization: Bearer {SECRET}\r\n")),
        "{sent}"
    );
    let body: Value = serde_json::from_str(sent.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(
        body,
        json!({"model": "small", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 8000,
            "messages": [{"role": "system", "content": "the head|"}, {"role": "user", "content": "the rest é"}]})
    );
}

#[tokio::test]
async fn http_chunks_may_cut_anywhere() {
    let events = format!("{}{END}", piece("aé漢🦀"));
    let mut body = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n".to_vec();
    for part in events.as_bytes().chunks(3) {
        body.extend(format!("{:x};x=1\r\n", part.len()).bytes());
        body.extend_from_slice(part);
        body.extend(b"\r\n");
    }
    body.extend(b"0\r\n\r\n");
    let server = Server::always(vec![Step::Send(body)]).await;
    let found = Asked::default().of(&openai(&server.base)).await.unwrap();
    assert_eq!(found.text, "aé漢🦀");
}

#[tokio::test]
async fn a_stream_may_end_without_its_last_line_end_or_its_last_event() {
    let finish = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for end in [
        "data: [DONE]".to_owned(),
        finish.to_owned(),
        format!("{finish}\r\n"),
        format!("{finish}\n\ndata: [DONE]"),
    ] {
        let server = Server::always(stream(&(piece("x") + &end))).await;
        let found = Asked::default().of(&openai(&server.base)).await.unwrap();
        assert_eq!(found.text, "x", "{end}");
    }
}

#[tokio::test]
async fn an_answer_in_one_piece_is_read_whatever_its_type() {
    let body = whole("let x = 1;", "stop").to_string();
    for headers in [
        "Content-Type: application/json\r\n",
        "",
        "Content-Type: text/plain\r\n",
    ] {
        let server = Server::always(vec![Step::Send(response(200, headers, &body))]).await;
        let found = Asked::default().of(&openai(&server.base)).await.unwrap();
        assert_eq!(found.text, "let x = 1;");
        assert_eq!((found.tokens_in, found.tokens_out), (Some(12), Some(3)));
    }
    let untold = response(200, "Content-Type: text/plain\r\n", &(piece("y") + END));
    let server = Server::always(vec![Step::Send(untold)]).await;
    assert_eq!(
        Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap()
            .text,
        "y"
    );
    let parts = json!({"choices": [{"message": {"content": [{"type": "text", "text": "z"}]}}]});
    let server = Server::always(answer(200, &parts)).await;
    assert_eq!(
        Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap()
            .text,
        "z"
    );
}

#[tokio::test]
async fn passing_failures_are_retried_with_the_wait_that_is_asked_for() {
    let past = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let server = Server::play(vec![
        vec![Step::Send(response(
            429,
            "Retry-After: 0\r\n",
            "{\"error\":{\"message\":\"slow\"}}",
        ))],
        vec![Step::Send(response(503, past, "busy"))],
        vec![],
        answer(200, &whole("x", "stop")),
    ])
    .await;
    let asked = Asked {
        limits: ModelLimits {
            retries: 3,
            ..Asked::default().limits
        },
        ..Asked::default()
    };
    assert_eq!(asked.of(&openai(&server.base)).await.unwrap().text, "x");
    let notes = asked.notes();
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(
        notes[0].contains("429") && notes[0].contains("retry 1 of 3"),
        "{notes:?}"
    );
    assert!(notes[1].contains("503"), "{notes:?}");
}

#[tokio::test]
async fn a_wait_in_seconds_is_waited() {
    let server = Server::play(vec![
        vec![Step::Send(response(429, "Retry-After: 1\r\n", ""))],
        answer(200, &whole("x", "stop")),
    ])
    .await;
    let found = Asked::default().of(&openai(&server.base)).await.unwrap();
    assert!(found.elapsed >= Duration::from_millis(900), "{found:?}");
}

#[tokio::test]
async fn a_wait_beyond_the_time_left_ends_at_once() {
    let later = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(900));
    for wait in ["3600".to_owned(), later] {
        let server = Server::always(vec![Step::Send(response(
            429,
            &format!("Retry-After: {wait}\r\n"),
            "",
        ))])
        .await;
        let started = Instant::now();
        let error = Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap_err();
        assert!(
            matches!(
                error,
                ModelError::RateLimited {
                    tries: 1,
                    retry_after: Some(_),
                    ..
                }
            ),
            "{error}"
        );
        assert!(error.to_string().contains("it asks to wait"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(10));
    }
}

#[tokio::test]
async fn retries_are_used_up() {
    for status in [500, 502, 503, 504, 529] {
        let server = Server::always(vec![Step::Send(response(
            status,
            "",
            "<html>oops\x1b[31m</html>",
        ))])
        .await;
        let error = Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap_err();
        assert!(
            matches!(error, ModelError::Server { tries: 3, .. }),
            "{error}"
        );
        let text = error.to_string();
        assert!(
            text.contains(&status.to_string()) && text.contains("tried 3 times"),
            "{text}"
        );
        assert!(!text.contains('\x1b'), "{text}");
        assert_eq!(server.requests().len(), 3);
    }
}

#[tokio::test]
async fn lasting_failures_end_at_once_with_their_name() {
    let body = json!({"error": {"message": format!("no\u{1b}[1m: key {SECRET} or Bearer {SECRET}"), "type": "x"}});
    for status in [400, 401, 403, 402, 404, 422, 501, 302] {
        let server = Server::always(answer(status, &body)).await;
        let asked = Asked::default();
        let error = asked.of(&openai(&server.base)).await.unwrap_err();
        let named = match status {
            401 | 403 => matches!(error, ModelError::Unauthorised { .. }),
            402 => matches!(error, ModelError::Payment { .. }),
            404 => matches!(error, ModelError::NotFound { .. }),
            _ => matches!(error, ModelError::BadRequest { .. }),
        };
        assert!(named, "{status}: {error:?}");
        let text = format!("{error} {error:?} {:?} {:?}", error.hint(), asked.notes());
        assert!(!text.contains(SECRET) && text.contains("***"), "{text}");
        assert!(!error.to_string().contains('\x1b'), "{error}");
        assert_eq!(server.requests().len(), 1, "{status}");
        if status == 401 {
            assert!(error.hint().unwrap().contains("OPENAI_API_KEY"));
        }
    }
    let spent = json!({"error": {"message": "quota", "code": "insufficient_quota"}});
    assert!(matches!(
        error(answer(429, &spent)).await,
        ModelError::Payment { .. }
    ));
}

#[tokio::test]
async fn a_long_message_is_cut() {
    let text = error(answer(
        400,
        &json!({"error": {"message": "é".repeat(5000)}}),
    ))
    .await
    .to_string();
    assert!(text.chars().count() < 600, "{text}");
}

#[tokio::test]
async fn refusals_and_cut_answers_are_named() {
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I can't"}, "finish_reason": "stop"}]});
    let error_ = error(answer(200, &refusal)).await;
    assert!(
        matches!(&error_, ModelError::Refusal { message, .. } if message == "I can't"),
        "{error_}"
    );
    let streamed = "data: {\"choices\":[{\"delta\":{\"refusal\":\"No\"}}]}\n\n".to_owned() + END;
    assert!(matches!(
        error(stream(&streamed)).await,
        ModelError::Refusal { .. }
    ));
    assert!(matches!(
        error(answer(200, &whole("x", "content_filter"))).await,
        ModelError::Refusal { .. }
    ));
    let cut = error(answer(200, &whole("fn f() {", "length"))).await;
    assert!(
        matches!(
            cut,
            ModelError::CutByLength {
                max_output_tokens: 8000,
                ..
            }
        ),
        "{cut}"
    );
    assert!(cut.hint().unwrap().contains("max-output-tokens"));
    // A model that thought until its tokens were used up has no text at all.
    assert!(matches!(
        error(answer(200, &whole("", "length"))).await,
        ModelError::CutByLength { .. }
    ));
}

#[tokio::test]
async fn empty_answers_are_named() {
    assert!(matches!(
        error(answer(200, &whole(" \n", "stop"))).await,
        ModelError::Empty { .. }
    ));
    assert!(matches!(error(stream(END)).await, ModelError::Empty { .. }));
    assert!(matches!(
        error(answer(200, &json!({"choices": []}))).await,
        ModelError::Malformed { .. }
    ));
}

#[tokio::test]
async fn too_large_answers_are_stopped_while_they_come() {
    let large = "x".repeat(10_001);
    assert!(matches!(
        error(answer(200, &whole(&large, "stop"))).await,
        ModelError::TooLarge { limit: 10_000, .. }
    ));
    let mut steps = vec![Step::Send(stream_head())];
    steps.extend((0..20).map(|_| Step::Send(piece(&"x".repeat(1000)).into_bytes())));
    steps.push(Step::Hang);
    let stopped = error(steps).await;
    assert!(stopped.to_string().contains("model-answer"), "{stopped}");
    let line = [stream_head(), vec![b'x'; 200_000]].concat();
    assert!(matches!(
        error(vec![Step::Send(line), Step::Hang]).await,
        ModelError::TooLarge { .. }
    ));
    let exact = "x".repeat(10_000);
    let server = Server::always(answer(200, &whole(&exact, "stop"))).await;
    assert_eq!(
        Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap()
            .text,
        exact
    );
}

#[tokio::test]
async fn silence_is_named_before_and_within_the_answer() {
    for millis in [100, 300] {
        let asked = Asked {
            limits: ModelLimits {
                silence: Duration::from_millis(millis),
                ..Asked::default().limits
            },
            ..Asked::default()
        };
        for begin in [
            Vec::new(),
            [stream_head(), piece("x").into_bytes()].concat(),
        ] {
            let server = Server::always(vec![Step::Send(begin), Step::Hang]).await;
            let error = asked.of(&openai(&server.base)).await.unwrap_err();
            assert!(
                matches!(error, ModelError::Silence { silence, .. } if silence.as_millis() == u128::from(millis)),
                "{error}"
            );
        }
    }
}

#[tokio::test]
async fn timeout_and_deadline_are_told_apart() {
    let server = Server::always(vec![Step::Send(stream_head()), Step::Hang]).await;
    let short = with(&server.base, |config| {
        config.timeout = Duration::from_millis(150)
    });
    let error = Asked::default().of(&short).await.unwrap_err();
    assert!(matches!(error, ModelError::Timeout { .. }), "{error}");
    for time in [Duration::from_millis(150), Duration::ZERO] {
        let asked = Asked {
            time,
            ..Asked::default()
        };
        let error = asked.of(&openai(&server.base)).await.unwrap_err();
        assert!(matches!(error, ModelError::Deadline), "{error}");
    }
}

#[tokio::test]
async fn broken_answers_are_named() {
    let half = [stream_head(), piece("fn f() {").into_bytes()].concat();
    assert!(
        error(vec![Step::Send(half)])
            .await
            .to_string()
            .contains("ended in the middle")
    );
    let short =
        b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Type: application/json\r\n\r\n{\"cho"
            .to_vec();
    assert!(matches!(
        error(vec![Step::Send(short)]).await,
        ModelError::Malformed { .. }
    ));
    for events in ["data: {\"choices\"\n\n", "data: 7\n\n", "data: \u{1b}x\n\n"] {
        let found = error(stream(events)).await;
        assert!(matches!(found, ModelError::Malformed { .. }), "{found}");
        assert!(!found.to_string().contains('\x1b'));
    }
    let page = response(200, "Content-Type: text/html\r\n", "<html>log in</html>");
    let found = error(vec![Step::Send(page)]).await.to_string();
    assert!(
        found.contains("text/html") && found.contains("log in"),
        "{found}"
    );
    assert!(matches!(
        error(vec![Step::Send(b"garbage\r\n\r\n".to_vec())]).await,
        ModelError::Unreachable { tries: 3, .. }
    ));
}

#[tokio::test]
async fn an_error_inside_a_stream_is_retried_only_before_the_first_text() {
    let overloaded = "data: {\"error\":{\"message\":\"overloaded\",\"code\":503}}\n\n";
    let server = Server::play(vec![stream(overloaded), stream(&(piece("x") + END))]).await;
    assert_eq!(
        Asked::default()
            .of(&openai(&server.base))
            .await
            .unwrap()
            .text,
        "x"
    );
    let found = error(stream(&(piece("x") + overloaded))).await;
    assert!(
        matches!(
            found,
            ModelError::Server {
                status: 503,
                tries: 1,
                ..
            }
        ),
        "{found:?}"
    );
    let long = "data: {\"error\":{\"type\":\"invalid_request_error\",\"code\":\"context_length_exceeded\"}}\n\n";
    assert!(matches!(
        error(stream(long)).await,
        ModelError::BadRequest { .. }
    ));
    let bad = "data: {\"error\":{\"message\":\"bad\",\"type\":\"invalid_request_error\"}}\n\n";
    assert!(matches!(
        error(stream(bad)).await,
        ModelError::BadRequest { .. }
    ));
}

#[tokio::test]
async fn a_port_without_a_server_is_unreachable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!(
        "http://user:pass@{}/v1?key=hidden",
        listener.local_addr().unwrap()
    );
    drop(listener);
    let error = Asked::default().of(&openai(&base)).await.unwrap_err();
    assert!(
        matches!(error, ModelError::Unreachable { tries: 3, .. }),
        "{error:?}"
    );
    let text = format!("{error:?} {error}");
    assert!(text.contains("refused"), "{text}");
    assert!(!text.contains("pass") && !text.contains("hidden"), "{text}");
}

#[tokio::test]
async fn slash_and_query_of_the_base_url_are_kept_right() {
    for (suffix, path) in [
        ("", "/v1/chat/completions"),
        ("/", "/v1/chat/completions"),
        ("/x?version=1", "/v1/x/chat/completions?version=1"),
    ] {
        let server = Server::always(answer(200, &whole("x", "stop"))).await;
        let base = format!("{}{suffix}", server.base);
        Asked::default().of(&openai(&base)).await.unwrap();
        let sent = server.requests().remove(0);
        assert!(sent.starts_with(&format!("POST {path} HTTP/1.1")), "{sent}");
    }
}

#[tokio::test]
async fn a_key_in_the_answer_is_masked() {
    let server = Server::always(answer(
        200,
        &whole(&format!("let k = \"{SECRET}\";"), "stop"),
    ))
    .await;
    let asked = Asked::default();
    assert_eq!(
        asked.of(&openai(&server.base)).await.unwrap().text,
        "let k = \"***\";"
    );
    assert_eq!(asked.notes().len(), 1);
}

#[tokio::test]
async fn a_server_that_does_not_speak_tls_is_unreachable_over_https() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ =
                tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 200 OK\r\n\r\n").await;
        }
    });
    let error = Asked::default().of(&openai(&base)).await.unwrap_err();
    assert!(
        matches!(error, ModelError::Unreachable { tries: 3, .. }),
        "{error:?}"
    );
}

/// Whoever wrote the manifest is not whoever owns the key.
#[tokio::test]
async fn the_key_goes_only_where_the_environment_says() {
    let refusal = json!({"error": {"message": "who are you"}});
    for (base_url_of_user, sent) in [
        (None, false),
        (Some("http://127.0.0.1:9/v1"), false),
        (Some(""), true),
    ] {
        let server = Server::always(answer(401, &refusal)).await;
        // An empty one stands for the manifest's own address, with a slash at its end.
        let user = base_url_of_user.map(|url| match url {
            "" => format!("{}/", server.base),
            other => other.to_owned(),
        });
        let key = ("OPENAI_API_KEY", SECRET.to_owned());
        let variables = user.map(|url| ("OPENAI_BASE_URL", url)).into_iter();
        let environment = Environment::from_variables(variables.chain([key]));
        let mut config = parse_spec("openai:small").unwrap();
        config.base_url = Some(server.base.clone());
        let model = Http::open(&OpenAi, &config, &environment).unwrap();
        let error = Asked::default().of(&model).await.unwrap_err();
        assert_eq!(server.requests()[0].contains(SECRET), sent);
        let hint = error.hint().unwrap();
        assert_eq!(hint.contains("set OPENAI_BASE_URL"), !sent, "{hint}");
    }
}
