//! What goes well, with every provider over HTTP: streams, answers in one piece, counts, keys and addresses.

use std::time::Duration;

use serde_json::{Value, json};

use super::dialects::Dialect::{Anthropic, Gemini, Ollama, OpenAi};
use super::dialects::{ALL, Dialect, SECRET, status};
use super::server::{Server, Step};
use super::*;

fn body_of(request: &str) -> Value {
    serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[tokio::test]
async fn streams_are_read_and_counted_wherever_they_are_cut() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let events = dialect.stream(&["fn é", "漢🦀()", "\r\n {}"], complete);
        let server = Server::always(vec![
            Step::Send(dialect.stream_head()),
            Step::Trickle(events),
        ])
        .await;
        let asked = Asked::default();
        let found = asked.of(&dialect.at(&server.base)).await.unwrap();
        assert_eq!(found.text, "fn é漢🦀()\r\n {}", "{dialect:?}");
        assert_eq!(
            (found.tokens_in, found.tokens_out),
            (Some(12), Some(3)),
            "{dialect:?}"
        );
        assert_eq!(found.stop_reason.as_deref(), Some(complete), "{dialect:?}");
        assert_eq!(*asked.received.lock().unwrap(), [5, 14, 19], "{dialect:?}");
    }
}

#[tokio::test]
async fn answers_in_one_piece_are_read_and_counted() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let server = Server::always(status(200, "", &dialect.whole("let x = 1;", complete))).await;
        let asked = Asked::default();
        let found = asked.of(&dialect.at(&server.base)).await.unwrap();
        assert_eq!(found.text, "let x = 1;", "{dialect:?}");
        assert_eq!(
            (found.tokens_in, found.tokens_out),
            (Some(12), Some(3)),
            "{dialect:?}"
        );
        assert_eq!(found.stop_reason.as_deref(), Some(complete), "{dialect:?}");
        assert_eq!(*asked.received.lock().unwrap(), [10], "{dialect:?}");
    }
}

#[tokio::test]
async fn streams_that_do_not_say_so_are_read() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let text = String::from_utf8(dialect.stream(&["a", "b"], complete)).unwrap();
        let plain = super::server::response(200, "Content-Type: text/plain\r\n", &text);
        let server = Server::always(vec![Step::Send(plain)]).await;
        let found = Asked::default().of(&dialect.at(&server.base)).await;
        assert_eq!(found.unwrap().text, "ab", "{dialect:?}");
    }
    // Without `alt=sse`, which a server in between may drop, Gemini streams a list.
    let list = json!([Gemini.piece("a"), Gemini.whole("b", "STOP")]);
    let server = Server::always(status(200, "", &list)).await;
    let found = Asked::default().of(&Gemini.at(&server.base)).await;
    assert_eq!(found.unwrap().text, "ab");
}

#[tokio::test]
async fn requests_are_written_as_the_service_wants_them() {
    let (head, rest) = ("the head|", "the rest é");
    for (dialect, path, header, body) in [
        (
            OpenAi,
            "/v1/chat/completions",
            "authorization: Bearer local-secret-0123456789",
            json!({"model": "small", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 70, "temperature": 0.5,
                "messages": [{"role": "system", "content": head}, {"role": "user", "content": rest}]}),
        ),
        (
            Anthropic,
            "/v1/messages",
            "x-api-key: local-secret-0123456789",
            json!({"model": "small", "stream": true, "max_tokens": 70, "temperature": 0.5,
                "system": [{"type": "text", "text": head, "cache_control": {"type": "ephemeral"}}],
                "messages": [{"role": "user", "content": rest}]}),
        ),
        (
            Gemini,
            "/v1beta/models/small:streamGenerateContent?alt=sse",
            "x-goog-api-key: local-secret-0123456789",
            json!({"generationConfig": {"maxOutputTokens": 70, "temperature": 0.5},
                "systemInstruction": {"parts": [{"text": head}]},
                "contents": [{"role": "user", "parts": [{"text": rest}]}]}),
        ),
        (
            Ollama,
            "/api/chat",
            "",
            json!({"model": "small", "stream": true, "options": {"num_predict": 70, "num_ctx": 8192, "temperature": 0.5},
                "messages": [{"role": "system", "content": head}, {"role": "user", "content": rest}]}),
        ),
    ] {
        let (complete, _) = dialect.stops();
        let server = Server::always(status(200, "", &dialect.whole("x", complete))).await;
        let model = dialect.with(&server.base, |config| {
            config.max_output_tokens = 70;
            config.temperature = Some(0.5);
        });
        Asked::default().of(&model).await.unwrap();
        let sent = server.requests().remove(0);
        assert!(
            sent.starts_with(&format!("POST {path} HTTP/1.1\r\n")),
            "{sent}"
        );
        assert_eq!(body_of(&sent), body);
        if header.is_empty() {
            assert!(!sent.contains(SECRET), "{sent}");
        } else {
            assert!(sent.contains(&format!("{header}\r\n")), "{sent}");
            assert_eq!(sent.matches(SECRET).count(), 1, "{sent}");
        }
        assert_eq!(
            sent.contains("anthropic-version: 2023-06-01\r\n"),
            dialect == Anthropic
        );
    }
}

#[tokio::test]
async fn a_prompt_without_a_head_is_one_message() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let server = Server::always(status(200, "", &dialect.whole("x", complete))).await;
        let asked = Asked {
            prompt: Prompt {
                text: "all".to_owned(),
                head: 0,
            },
            ..Asked::default()
        };
        asked.of(&dialect.at(&server.base)).await.unwrap();
        let body = body_of(&server.requests()[0]);
        assert!(body.get("system").is_none() && body.get("systemInstruction").is_none());
        let messages = body.get("messages").or(body.get("contents")).unwrap();
        assert_eq!(messages.as_array().unwrap().len(), 1, "{dialect:?}");
    }
}

#[tokio::test]
async fn base_addresses_may_have_a_version_a_path_and_a_query() {
    for (dialect, base, path) in [
        (Anthropic, "", "/v1/messages"),
        (Anthropic, "/", "/v1/messages"),
        (Anthropic, "/v1/", "/v1/messages"),
        (Anthropic, "/vendor", "/vendor/v1/messages"),
        (
            Gemini,
            "/v1",
            "/v1/models/small:streamGenerateContent?alt=sse",
        ),
        (
            Gemini,
            "/g/v1beta?x=1",
            "/g/v1beta/models/small:streamGenerateContent?x=1&alt=sse",
        ),
        (Ollama, "/ollama", "/ollama/api/chat"),
    ] {
        let (complete, _) = dialect.stops();
        let server = Server::always(status(200, "", &dialect.whole("x", complete))).await;
        let root = server.base.trim_end_matches("/v1");
        let model = dialect.with("http://127.0.0.1:9/v1", |config| {
            config.base_url = Some(format!("{root}{base}"));
        });
        Asked::default().of(&model).await.unwrap();
        let sent = server.requests().remove(0);
        assert!(
            sent.starts_with(&format!("POST {path} HTTP/1.1\r\n")),
            "{dialect:?} {base}: {sent}"
        );
        // Only the manifest names this server.
        assert!(!sent.contains(SECRET), "{sent}");
    }
}

#[tokio::test]
async fn a_model_of_gemini_may_say_where_it_belongs() {
    let server = Server::always(status(200, "", &Gemini.whole("x", "STOP"))).await;
    let model = Gemini.with(&server.base, |config| {
        config.model = Some("tunedModels/a b?".to_owned());
    });
    Asked::default().of(&model).await.unwrap();
    let sent = server.requests().remove(0);
    assert!(
        sent.starts_with("POST /v1beta/tunedModels/a%20b%3F:streamGenerateContent?alt=sse HTTP"),
        "{sent}"
    );
}

/// Whoever wrote the manifest is not whoever owns the key.
#[tokio::test]
async fn keys_go_only_where_the_environment_says() {
    use crate::error::Explain;
    for dialect in [OpenAi, Anthropic, Gemini] {
        let (_, address, key) = dialect.names();
        for same in [false, true] {
            let refusal = dialect.error(401, "x", &format!("who are you, {SECRET}"));
            let server = Server::always(status(401, "", &refusal)).await;
            let user = if same {
                server.base.as_str()
            } else {
                "http://127.0.0.1:9/v1"
            };
            let model = dialect.with(user, |config| {
                let base = server.base.trim_end_matches("/v1");
                let version = if dialect == OpenAi { "/v1/" } else { "/" };
                config.base_url = Some(format!("{base}{version}"));
            });
            let error = Asked::default().of(&model).await.unwrap_err();
            assert_eq!(server.requests()[0].contains(SECRET), same, "{dialect:?}");
            assert!(!format!("{error:?} {error}").contains(SECRET), "{error}");
            let hint = error.hint().unwrap();
            assert!(hint.contains(key), "{hint}");
            assert_eq!(hint.contains(&format!("set {address}")), !same, "{hint}");
        }
    }
}

#[tokio::test]
async fn a_finished_answer_needs_no_good_bye() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        // Everything but the last piece, `[DONE]` or `message_stop`, and then nothing more.
        let mut events = String::from_utf8(dialect.stream(&["x"], complete)).unwrap();
        for end in ["data: [DONE]", "event: message_stop"] {
            events.truncate(events.find(end).unwrap_or(events.len()));
        }
        let asked = Asked {
            limits: ModelLimits {
                silence: Duration::from_millis(300),
                ..Asked::default().limits
            },
            ..Asked::default()
        };
        for steps in [vec![], vec![Step::Hang]] {
            let mut script = dialect.streamed(events.as_bytes());
            script.extend(steps);
            let server = Server::always(script).await;
            let found = asked.of(&dialect.at(&server.base)).await.unwrap();
            assert_eq!(found.text, "x", "{dialect:?}");
        }
    }
}

#[tokio::test]
async fn a_key_in_an_answer_is_masked() {
    for dialect in ALL {
        let (complete, _) = dialect.stops();
        let text = format!("let k = \"{SECRET}\";");
        let (first, second) = text.split_at(15);
        let stream = dialect.stream(&[first, second], complete);
        let server = Server::always(dialect.streamed(&stream)).await;
        let asked = Asked::default();
        let found = asked.of(&dialect.at(&server.base)).await.unwrap();
        assert_eq!(found.text, "let k = \"***\";", "{dialect:?}");
        assert_eq!(asked.notes().len(), 1);
    }
}

#[test]
fn counts_that_are_missing_are_estimated() {
    let answer = Answer {
        text: "x".repeat(9),
        tokens_in: None,
        tokens_out: None,
        stop_reason: None,
        elapsed: Duration::ZERO,
    };
    let usage = answer.usage(&Asked::default().prompt);
    assert_eq!((usage.input, usage.output, usage.estimated), (5, 3, true));
}

#[tokio::test]
async fn a_long_prompt_asks_ollama_for_room() {
    let server = Server::always(status(200, "", &Ollama.whole("x", "stop"))).await;
    let asked = Asked {
        prompt: Prompt {
            text: "y".repeat(60_000),
            head: 0,
        },
        ..Asked::default()
    };
    asked.of(&Dialect::Ollama.at(&server.base)).await.unwrap();
    // 20,000 for the prompt and 8,000 for the answer, in steps of 8,192.
    assert_eq!(body_of(&server.requests()[0])["options"]["num_ctx"], 32_768);
}

/// No request asks for one, but some servers and proxies compress all the same.
#[tokio::test]
async fn a_compressed_body_is_named() {
    for dialect in ALL {
        for (code, named) in [(200, "Malformed"), (400, "BadRequest")] {
            let (complete, _) = dialect.stops();
            let script = status(
                code,
                "Content-Encoding: gzip\r\n",
                &dialect.whole("x", complete),
            );
            let server = Server::play(vec![script]).await;
            let answer = Asked::default().of(&dialect.at(&server.base)).await;
            let error = answer.unwrap_err();
            assert_eq!(name(&error), named, "{error}");
            let text = error.to_string();
            assert!(text.contains("(`Content-Encoding: gzip`)"), "{text}");
        }
        let (complete, _) = dialect.stops();
        let plain = status(
            200,
            "Content-Encoding: identity\r\n",
            &dialect.whole("x", complete),
        );
        let server = Server::play(vec![plain]).await;
        let answer = Asked::default().of(&dialect.at(&server.base)).await;
        assert_eq!(answer.unwrap().text, "x");
    }
}
