//! The provider against real servers, most of which misbehave.

mod server;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::*;
use crate::capability::call::Bounds;
use crate::capability::wire::tests::echo;
use crate::value::Type;
use server::{Server, Step, json, response};

fn served(base: &str) -> Arc<dyn Serve> {
    let grant = JsonHttpGrant {
        url: Url::parse(base).unwrap(),
    };
    let import = ImportType {
        label: "shop".to_owned(),
        interface: None,
        functions: Vec::new(),
    };
    grant.open(&import).unwrap()
}

fn count() -> Arc<FunctionType> {
    Arc::new(FunctionType {
        import: "shop".to_owned(),
        name: "count".to_owned(),
        parameters: Vec::new(),
        result: Some(Type::U64),
    })
}

async fn call(
    served: &dyn Serve,
    function: &Arc<FunctionType>,
    arguments: Vec<Value>,
    crossing: u64,
) -> Result<Option<Value>, Failure> {
    let call = ToolCall {
        function: Arc::clone(function),
        arguments,
        bounds: Bounds::new(1000, crossing),
        labels: Default::default(),
        watcher: Default::default(),
    };
    served.call(call).await
}

/// What comes of asking for a count.
async fn counted(server: &Server) -> Result<Option<Value>, Failure> {
    call(&*served(&server.base), &count(), vec![], 1 << 10).await
}

/// Why a call failed, with the address replaced and the tool's name left out.
async fn failed(server: &Server) -> String {
    let failure = counted(server).await.unwrap_err();
    let message = failure.message.replace(&server.base, "URL");
    assert!(message.chars().count() < 500, "{message}");
    message.strip_prefix("`shop.count`: ").unwrap().to_owned()
}

#[tokio::test]
async fn a_call_is_one_post_below_the_address() {
    let server = Server::always(|| {
        let headers = "content-type: application/json\r\nset-cookie: a=b\r\n";
        vec![Step::Send(response("200 OK", headers, br#"{"ok": 3}"#))]
    })
    .await;
    for (path, expected) in [
        ("", "/call"),
        ("/", "/call"),
        ("/api/v1", "/api/v1/call"),
        ("/a%20b/", "/a%20b/call"),
    ] {
        let served = served(&format!("{}{path}", server.base));
        for _ in 0..2 {
            let value = call(&*served, &count(), vec![], 1 << 10).await;
            assert_eq!(value, Ok(Some(Value::U64(3))));
            let request = server.requests().pop().unwrap();
            let (head, body) = request.split_once("\r\n\r\n").unwrap();
            assert!(
                head.starts_with(&format!("POST {expected} HTTP/1.1\r\n")),
                "{head}"
            );
            assert!(head.contains("content-type: application/json"), "{head}");
            assert!(!head.to_lowercase().contains("cookie"), "{head}");
            assert_eq!(body, r#"{"tool":"count","args":{}}"#);
        }
    }
    assert_eq!(server.connections(), 4, "a connection is used again");
    server.left_alone().await;
}

#[tokio::test]
async fn values_of_every_type_go_through_a_server_and_back() {
    let server = Server::start(|request| {
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        json(&echo::echoed(body))
    })
    .await;
    let served = served(&server.base);
    let mut runner = TestRunner::default();
    for _ in 0..1000 {
        let (ty, value) = echo::typed().new_tree(&mut runner).unwrap().current();
        let function = Arc::new(echo::function(&ty));
        let back = call(&*served, &function, vec![value.clone()], 1 << 20).await;
        assert_eq!(back, Ok(Some(value)), "{ty}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_calls_eight_at_once() {
    let number = AtomicUsize::new(0);
    let server = Server::start(move |request| {
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        number.fetch_add(1, Ordering::SeqCst);
        json(&echo::echoed(body))
    })
    .await;
    let served = served(&server.base);
    let function = Arc::new(echo::function(&Type::U32));
    let workers = (0..8_u32).map(|worker| {
        let (served, function) = (Arc::clone(&served), Arc::clone(&function));
        tokio::spawn(async move {
            for at in 0..125 {
                let value = Value::U32(worker * 1000 + at);
                let back = call(&*served, &function, vec![value.clone()], 1 << 10).await;
                assert_eq!(back, Ok(Some(value)));
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap();
    }
    assert_eq!(server.requests().len(), 1000);
    assert!(server.connections() <= 100, "{}", server.connections());
    drop(served);
    server.left_alone().await;
}

#[tokio::test]
async fn what_is_no_success_is_quoted() {
    let rows: Vec<(Vec<u8>, &str)> = vec![
        (
            response("400 Bad Request", "", br#"{"error": "KeyError: 'x'"}"#),
            "URL/call answered 400 Bad Request: KeyError: 'x'",
        ),
        (
            response(
                "500 Oops",
                "",
                br#"{"err": {"message": "no\n\u001b[2Jway"}}"#,
            ),
            "URL/call answered 500 Internal Server Error: no \\u{1b}[2Jway",
        ),
        (
            response(
                "503 X",
                "content-type: text/html\r\n",
                b"<html>\n<p>busy</html>",
            ),
            "URL/call answered 503 Service Unavailable: <html> <p>busy</html>",
        ),
        (
            response("404 Not Found", "", b""),
            "URL/call answered 404 Not Found",
        ),
        (
            response("401 X", "", &[0xff, 0x00, b'a']),
            "URL/call answered 401 Unauthorized: \u{fffd}\\u{0}a",
        ),
        // The same body as a success would be the function's answer.
        (
            response("418 X", "", br#"{"ok": 3}"#),
            "URL/call answered 418 I'm a teapot: {\"ok\": 3}",
        ),
        (
            response("200 OK", "content-type: text/html\r\n", b"<!doctype html>"),
            "the answer is no JSON (expected value at line 1 column 1): <!doctype html>",
        ),
        (
            b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
            "the answer is empty",
        ),
        (
            response("200 OK", "", br#"{"ok": "x"}"#),
            "result.ok: expected u64, found \"x\"",
        ),
        (
            response("200 OK", "", br#"{"err": "out of stock"}"#),
            "out of stock",
        ),
    ];
    for (bytes, expected) in rows {
        let server = Server::always(move || vec![Step::Send(bytes.clone()), Step::Close]).await;
        assert_eq!(failed(&server).await, expected);
        server.left_alone().await;
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Server::always(|| json(r#"{"ok": 1}"#)).await;
    for status in ["301 X", "302 X", "303 X", "307 X", "308 X"] {
        let to = format!("location: {}/call\r\n", other.base);
        let server =
            Server::always(move || vec![Step::Send(response(status, &to, b"")), Step::Close]).await;
        let message = failed(&server).await;
        assert!(
            message.ends_with(", and redirects are not followed"),
            "{message}"
        );
    }
    assert_eq!(other.connections(), 0);
}

#[tokio::test]
async fn a_server_that_breaks_off_is_a_failed_call() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n".to_vec();
    let rows: Vec<(Vec<Step>, &str)> = vec![
        (vec![Step::Close], "URL/call cannot be asked: "),
        (
            vec![Step::Send(b"HTTP/1.1 200".to_vec()), Step::Close],
            "URL/call cannot be asked: ",
        ),
        (
            vec![Step::Send(b"\x16\x03\x01\x02\x00".to_vec()), Step::Close],
            "URL/call cannot be asked: ",
        ),
        (
            vec![Step::Send(head.clone()), Step::Close],
            "URL/call broke off its answer: ",
        ),
        // More announced than sent.
        (
            vec![
                Step::Send([head, br#"{"ok": 3}"#.to_vec()].concat()),
                Step::Close,
            ],
            "URL/call broke off its answer: ",
        ),
        // Less announced than sent.
        (
            vec![
                Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{\"ok\": 3}".to_vec()),
                Step::Close,
            ],
            "result.ok: the answer is no JSON (EOF while parsing an object at line 1 column 5): {\"ok\"",
        ),
        (
            vec![
                Step::Send(
                    b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{\"ok\"".to_vec(),
                ),
                Step::Close,
            ],
            "URL/call broke off its answer: ",
        ),
        (
            vec![
                Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n".to_vec()),
                Step::Close,
            ],
            "URL/call cannot be asked: ",
        ),
        (
            vec![
                Step::Send(response(
                    "200 OK",
                    "content-encoding: gzip\r\n",
                    br#"{"ok": 3}"#,
                )),
                Step::Close,
            ],
            "URL/call broke off its answer: ",
        ),
    ];
    for (steps, expected) in rows {
        let steps = Arc::new(std::sync::Mutex::new(Some(steps)));
        let server = Server::always(move || {
            let steps = steps.lock().unwrap().take();
            steps.unwrap_or_else(|| vec![Step::Close])
        })
        .await;
        let message = failed(&server).await;
        assert!(message.starts_with(expected), "{message}\n{expected}");
        server.left_alone().await;
    }
    let nobody = {
        let server = Server::always(Vec::new).await;
        server.base.clone()
    };
    tokio::task::yield_now().await;
    let failure = call(&*served(&nobody), &count(), vec![], 1 << 10).await;
    let message = failure.unwrap_err().message;
    assert!(message.contains("refused"), "{message}");
}

#[tokio::test]
async fn a_slow_server_is_waited_for_and_one_that_hangs_is_left() {
    let slow = Server::always(|| {
        vec![
            Step::Drip(response("200 OK", "", br#"{"ok": 3}"#)),
            Step::Close,
        ]
    })
    .await;
    assert_eq!(counted(&slow).await, Ok(Some(Value::U64(3))));
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec();
    for hanging in [
        Server::always(|| vec![Step::Hang]).await,
        Server::always(move || vec![Step::Send(head.clone()), Step::Hang]).await,
        Server::always(|| vec![Step::Send(b"HTTP/1.1 200 OK\r\nx: ".to_vec()), Step::Hang]).await,
        // Headers and interim answers without end.
        Server::always(|| vec![Step::Flood(b"HTTP/1.1 100 Continue\r\n\r\n".to_vec())]).await,
    ] {
        let time = Duration::from_millis(200);
        let given_up = tokio::time::timeout(time, counted(&hanging)).await;
        assert!(given_up.is_err(), "{given_up:?}");
        hanging.left_alone().await;
    }
    let endless = Server::always(|| {
        vec![
            Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
            Step::Flood(b"name: value\r\n".to_vec()),
        ]
    })
    .await;
    let message = failed(&endless).await;
    assert!(
        message.starts_with("URL/call cannot be asked: "),
        "{message}"
    );
    endless.left_alone().await;
}

#[tokio::test]
async fn a_large_answer_is_refused_while_it_comes() {
    const MEGABYTES_200: usize = 200 << 20;
    let limit = |failure: Failure| {
        let limit = failure.limit().unwrap();
        assert_eq!((limit.name, limit.at), ("crossing", 1 << 10));
        assert!(limit.used > 1 << 10);
        limit.used
    };
    // Announced: nothing of it is read.
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {MEGABYTES_200}\r\n\r\n");
    let announced = Server::always(move || {
        vec![
            Step::Send(head.clone().into_bytes()),
            Step::Flood(vec![b' '; 1 << 16]),
        ]
    })
    .await;
    let started = Instant::now();
    let used = limit(counted(&announced).await.unwrap_err());
    assert_eq!(used, MEGABYTES_200 as u64);
    announced.left_alone().await;
    assert!(announced.sent() < 20 << 20, "{}", announced.sent());

    // Not announced: it is left as soon as it is too much.
    for before in ["{\"ok\": \"", "{\"text\": \"", ""] {
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        let begin = format!(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{before}\r\n",
            before.len().max(1)
        );
        let begin = if before.is_empty() {
            begin.replace("\r\n1\r\n\r\n", "\r\n")
        } else {
            begin
        };
        let flood = Server::always(move || {
            vec![
                Step::Send(begin.clone().into_bytes()),
                Step::Flood(chunk.clone().into_bytes()),
            ]
        })
        .await;
        limit(counted(&flood).await.unwrap_err());
        flood.left_alone().await;
        assert!(flood.sent() < 20 << 20, "{}", flood.sent());
    }

    // Small on the wire, large in memory.
    let bomb = std::process::Command::new("sh")
        .args(["-c", "head -c 209715200 /dev/zero | gzip -c"])
        .output()
        .unwrap()
        .stdout;
    assert!(bomb.len() < 1 << 20);
    let bomb = response("200 OK", "content-encoding: gzip\r\n", &bomb);
    let server = Server::always(move || vec![Step::Send(bomb.clone()), Step::Close]).await;
    limit(counted(&server).await.unwrap_err());
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn deep_json_is_no_danger() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for around in ["{\"ok\": @}", "{\"text\": @}", "{\"more\": @}", "@"] {
            let deep = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
            let body = around.replace('@', &deep);
            let server = Server::always(move || json(&body)).await;
            let failure = call(&*served(&server.base), &count(), vec![], 1 << 20).await;
            let message = failure.unwrap_err().message;
            assert!(message.starts_with("`shop.count`: "), "{message}");
            if around.contains("ok") {
                assert!(message.contains("recursion limit exceeded"), "{message}");
            }
        }
    }
}
