//! Many calls, and what a request and a response look like on either side.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::types::{HttpError, Request};
use super::hostile::settled;
use super::server::{Server, response};
use super::{client, grant, local};

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_eight_at_once() {
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let server = Server::start(|request, stream| {
        let body = request.path.trim_start_matches('/');
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes())?;
        Ok(true)
    });
    let client = Arc::new(client(local(server.port, "")));
    let next = Arc::new(AtomicUsize::new(0));
    let workers = (0..8).map(|_| {
        let (client, next, port) = (Arc::clone(&client), Arc::clone(&next), server.port);
        tokio::spawn(async move {
            let mut right = 0;
            loop {
                let number = next.fetch_add(1, Ordering::SeqCst);
                if number >= 1000 {
                    return right;
                }
                let url = format!("http://a.test:{port}/{number}");
                let response = client.send(Request::get(url)).await.unwrap();
                right += usize::from(response.body == number.to_string().into_bytes());
            }
        })
    });
    let mut right = 0;
    for worker in workers.collect::<Vec<_>>() {
        right += worker.await.unwrap();
    }
    assert_eq!((right, server.requests().len()), (1000, 1000));
    let kept = settled(4, || server.open()).await;
    assert!(kept <= 4, "{kept} connections are kept");
    drop(client);
    server.all_closed();
    assert_eq!(settled(before, tasks).await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_arrives_as_it_was_made() {
    let server = Server::fixed(b"HTTP/1.1 201 X\r\nX-Own: a\r\nx-own: \xff\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi".to_vec());
    let client = client(local(server.port, "methods = [\"POST\"]"));
    let request = Request {
        method: "post".to_owned(),
        url: format!("http://a.test:{}/x?y=%20#z", server.port),
        headers: vec![
            ("Content-Type".to_owned(), "text/plain".to_owned()),
            ("x-a".to_owned(), "1".to_owned()),
            ("x-a".to_owned(), "ü".to_owned()),
        ],
        body: b"body".to_vec(),
    };
    let response = client.send(request).await.unwrap();
    assert_eq!(response.status, 201);
    assert_eq!(response.body, b"hi");
    let own: Vec<&(String, String)> = (response.headers.iter())
        .filter(|(name, _)| name == "x-own")
        .collect();
    assert_eq!(
        own,
        [
            &("x-own".into(), "a".into()),
            &("x-own".into(), "\u{fffd}".into())
        ]
    );
    let seen = server.requests().remove(0);
    assert_eq!(
        (seen.method.as_str(), seen.query.as_str()),
        ("POST", "y=%20")
    );
    assert_eq!(seen.body, b"body");
    assert_eq!(
        seen.header("host"),
        Some(format!("a.test:{}", server.port).as_str())
    );
    assert_eq!(seen.header("content-type"), Some("text/plain"));
    assert_eq!(seen.header("content-length"), Some("4"));
    assert_eq!(
        seen.header("user-agent"),
        Some(concat!("lacuna/", env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(seen.header("referer"), None);
    assert_eq!(seen.header("cookie"), None);
    assert_eq!(
        seen.headers
            .iter()
            .filter(|(name, _)| name == "x-a")
            .count(),
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn headers_that_are_not_the_guests_are_refused() {
    let server = Server::fixed(response(200, &[], b""));
    let client = client(local(server.port, ""));
    let names = [
        "host",
        "Host",
        "connection",
        "transfer-encoding",
        "content-length",
        "upgrade",
        "te",
        "trailer",
        "expect",
        "keep-alive",
        "proxy-authorization",
        "Proxy-Connection",
        "accept-encoding",
        "x-http-method-override",
        "x-original-url",
        "http2-settings",
        "",
        "a b",
        "a:b",
        "a\r\nhost",
        "ü",
    ];
    let mut given: Vec<Vec<(String, String)>> = names
        .iter()
        .map(|name| vec![((*name).to_owned(), "x".to_owned())])
        .collect();
    for value in ["a\r\nhost: b", "a\nb", "a\0b", "\r"] {
        given.push(vec![("x-a".to_owned(), value.to_owned())]);
    }
    given.push(vec![("x-a".to_owned(), "x".repeat(33 * 1024))]);
    given.push(vec![("x-a".to_owned(), "x".to_owned()); 65]);
    for headers in given {
        let request = Request {
            headers: headers.clone(),
            ..Request::get(format!("http://a.test:{}/", server.port))
        };
        let answer = client.send(request).await;
        assert!(
            matches!(answer, Err(HttpError::ForbiddenHeader(_))),
            "{:.80?}: {answer:?}",
            headers
        );
    }
    assert!(server.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_origin_sees_few_of_the_headers() {
    let second = Server::fixed(response(200, &[], b""));
    let location = format!("http://b.test:{}/", second.port);
    let first = Server::fixed(response(307, &[("location", &location)], b""));
    let client = client(grant(&format!(
        "origins = [\"http://a.test:{}\", \"http://b.test:{}\"]\nmethods = [\"POST\"]\nredirects = 1\nprivate-addresses = [\"127.0.0.1\"]",
        first.port, second.port
    )));
    let header = |name: &str| (name.to_owned(), "value".to_owned());
    let request = Request {
        method: "POST".to_owned(),
        headers: [
            "accept",
            "content-type",
            "authorization",
            "cookie",
            "x-api-key",
        ]
        .map(header)
        .to_vec(),
        body: b"body".to_vec(),
        ..Request::get(format!("http://a.test:{}/", first.port))
    };
    client.send(request).await.unwrap();
    let (before, after) = (first.requests().remove(0), second.requests().remove(0));
    for name in ["authorization", "cookie", "x-api-key"] {
        assert_eq!(before.header(name), Some("value"));
        assert_eq!(after.header(name), None, "{name}");
    }
    for name in ["accept", "content-type"] {
        assert_eq!(after.header(name), Some("value"), "{name}");
    }
    assert_eq!(after.body, b"body");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_body_has_the_size_that_is_granted_at_most() {
    let server = Server::fixed(response(200, &[], &[b'x'; 1000]));
    for (most, fits) in [("\"1000B\"", true), ("\"999B\"", false), ("0", false)] {
        let client = client(local(server.port, &format!("max-body = {most}")));
        let answer = client
            .send(Request::get(format!("http://a.test:{}/", server.port)))
            .await;
        assert_eq!(answer.is_ok(), fits, "{most}: {answer:?}");
    }
}
