//! Servers that do not do what they should: each gives an outcome, and no connection stays.

use std::io::{self, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use super::super::types::{HttpError, Request, Response};
use super::server::{Seen, Server, response};
use super::{client, local};

/// Longest silence in these tests.
const SILENCE: Duration = Duration::from_millis(400);

/// What a page of 200 MB counts.
const HUGE: usize = 200 << 20;

async fn get(server: &Server) -> Result<Response, HttpError> {
    let client = client(local(server.port, "")).silent_for(SILENCE);
    let url = format!("http://a.test:{}/", server.port);
    let answer = client.send(Request::get(url)).await;
    drop(client);
    server.all_closed();
    answer
}

fn outcome(answer: &Result<Response, HttpError>) -> String {
    match answer {
        Ok(response) => response.status.to_string(),
        Err(error) => error.name().to_owned(),
    }
}

/// Until the other side closes.
fn wait(stream: &mut TcpStream) -> io::Result<bool> {
    io::copy(stream, &mut io::sink())?;
    Ok(false)
}

/// The same bytes until the other side closes.
fn endless(stream: &mut TcpStream, start: &[u8], more: &[u8]) -> io::Result<bool> {
    stream.write_all(start)?;
    let many = more.repeat(1 + 16 * 1024 / more.len());
    loop {
        stream.write_all(&many)?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_answers_are_error_values() {
    let many_headers: String = (0..65).map(|number| format!("h{number}: x\r\n")).collect();
    let more_headers: String = (0..200).map(|number| format!("h{number}: x\r\n")).collect();
    let long_header = "x".repeat(33 * 1024);
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n";
    let mut wrong = Vec::new();
    for (what, bytes, expected) in [
        ("nothing", String::new(), "connection"),
        ("half a status line", "HTTP/1.".to_owned(), "connection"),
        (
            "a head that breaks off",
            format!("{head}x: y\r\n"),
            "connection",
        ),
        (
            "no HTTP",
            "220 smtp.example ESMTP\r\n\r\n".to_owned(),
            "protocol",
        ),
        ("bytes", "\u{0}\u{1}\u{2}\r\n\r\n".to_owned(), "protocol"),
        (
            "another version",
            "HTTP/3.0 200 OK\r\n\r\n".to_owned(),
            "protocol",
        ),
        (
            "a status of four digits",
            "HTTP/1.1 2000 OK\r\n\r\n".to_owned(),
            "protocol",
        ),
        (
            "a header without name",
            format!("{head}: y\r\n\r\n"),
            "protocol",
        ),
        (
            "a body that breaks off",
            format!("{head}content-length: 10\r\n\r\nabc"),
            "connection",
        ),
        (
            "a length that is no number",
            format!("{head}content-length: x\r\n\r\nabc"),
            "protocol",
        ),
        (
            "a negative length",
            format!("{head}content-length: -1\r\n\r\nabc"),
            "protocol",
        ),
        (
            "two lengths",
            format!("{head}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd"),
            "protocol",
        ),
        (
            "a chunk without size",
            format!("{head}transfer-encoding: chunked\r\n\r\nzz\r\nabc"),
            "protocol",
        ),
        (
            "a chunk that is too long to count",
            format!("{head}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\na"),
            "protocol",
        ),
        (
            "a chunk that breaks off",
            format!("{head}transfer-encoding: chunked\r\n\r\n5\r\nabc"),
            "connection",
        ),
        (
            "no last chunk",
            format!("{head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            "connection",
        ),
        (
            "no gzip",
            format!("{head}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"),
            "protocol",
        ),
        (
            // The decoder waits for more.
            "no brotli",
            format!("{head}content-encoding: br\r\ncontent-length: 3\r\n\r\nabc"),
            "connection",
        ),
        (
            "65 headers",
            format!("{head}{many_headers}content-length: 0\r\n\r\n"),
            "too-large",
        ),
        (
            "200 headers",
            format!("{head}{more_headers}content-length: 0\r\n\r\n"),
            "too-large",
        ),
        (
            "33 KiB in a header",
            format!("{head}long: {long_header}\r\ncontent-length: 0\r\n\r\n"),
            "too-large",
        ),
        (
            "a longer length",
            format!("{head}content-length: 999999999999\r\n\r\nabc"),
            "connection",
        ),
        (
            "a shorter length",
            format!("{head}content-length: 2\r\n\r\nabc"),
            "200",
        ),
        ("no length", format!("{head}\r\nabc"), "200"),
        (
            "no body where one is told of",
            "HTTP/1.1 204 No\r\ncontent-length: 5\r\nconnection: close\r\n\r\n".to_owned(),
            "204",
        ),
    ] {
        let answer = get(&Server::fixed(bytes)).await;
        if outcome(&answer) != expected {
            wrong.push(format!("{what}: {answer:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_never_ends_is_left() {
    type Work = fn(&Seen, &mut TcpStream) -> io::Result<bool>;
    let cases: [(&str, Work, &str); 9] = [
        ("silence", |_, stream| wait(stream), "timeout"),
        (
            "silence after the head",
            |_, stream| {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n")?;
                wait(stream)
            },
            "timeout",
        ),
        (
            "headers",
            |_, stream| endless(stream, b"HTTP/1.1 200 OK\r\n", b"a: b\r\n"),
            "too-large",
        ),
        (
            "one header",
            |_, stream| endless(stream, b"HTTP/1.1 200 OK\r\na: ", b"b"),
            "too-large",
        ),
        (
            "a body of unknown length",
            |_, stream| endless(stream, b"HTTP/1.1 200 OK\r\n\r\n", b"b"),
            "too-large",
        ),
        (
            "chunks",
            |_, stream| {
                let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
                endless(stream, head, b"3\r\nabc\r\n")
            },
            "too-large",
        ),
        (
            "200 MB",
            |_, stream| {
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {HUGE}\r\n\r\n");
                endless(stream, head.as_bytes(), b"x")
            },
            "too-large",
        ),
        (
            "answers that announce another",
            |_, stream| endless(stream, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
            "timeout",
        ),
        (
            "a body that unpacks to nothing",
            |_, stream| {
                let head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f\x8b\x08\0\0\0\0\0\0\x03";
                endless(stream, head, b"\0\0\0\xff\xff")
            },
            "timeout",
        ),
    ];
    for (what, work, expected) in cases {
        let answer = get(&Server::start(work)).await;
        assert_eq!(outcome(&answer), expected, "{what}: {answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_counts_as_it_is_unpacked() {
    let packed = zeros(HUGE);
    assert!(packed.len() < HUGE / 100, "{}", packed.len());
    let server = Server::fixed(response(200, &[("content-encoding", "gzip")], &packed));
    let answer = get(&server).await;
    assert_eq!(
        outcome(&answer),
        "too-large",
        "{:?}",
        answer.map(|answer| answer.body.len())
    );
    let server = Server::fixed(response(
        200,
        &[("content-encoding", "gzip")],
        &zeros(1 << 20),
    ));
    let body = get(&server).await.unwrap().body;
    assert!(body.len() > 1 << 20 && body.iter().all(|byte| *byte == 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_leaves_nothing() {
    let tasks = || {
        tokio::runtime::Handle::current()
            .metrics()
            .num_alive_tasks()
    };
    let before = tasks();
    let drip: fn(&Seen, &mut TcpStream) -> io::Result<bool> = |_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")?;
        loop {
            stream.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let silent: fn(&Seen, &mut TcpStream) -> io::Result<bool> = |_, stream| wait(stream);
    for work in [drip, silent] {
        let server = Server::start(work);
        let client = client(local(server.port, ""));
        let url = format!("http://a.test:{}/", server.port);
        let call = client.send(Request::get(url));
        assert!(tokio::time::timeout(SILENCE, call).await.is_err());
        // The client lives on; the connection does not.
        server.all_closed();
    }
    assert_eq!(settled(before, tasks).await, before);
}

/// The number of tasks once it has come down to `expected`, or what it is after some seconds.
pub(super) async fn settled(expected: usize, tasks: impl Fn() -> usize) -> usize {
    for _ in 0..500 {
        if tasks() <= expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    tasks()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_port_is_an_error_value() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = client(local(port, ""));
    let answer = client
        .send(Request::get(format!("http://a.test:{port}/")))
        .await;
    assert_eq!(outcome(&answer), "connection", "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tls_where_it_is_asked_for() {
    let server = Server::fixed("HTTP/1.1 400 X\r\n\r\n");
    // The server reads until an empty line, which a TLS greeting may not have: it is answered by one that does not read.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(b"HTTP/1.1 400 X\r\n\r\n");
            let _ = stream.read(&mut [0; 1024]);
        }
    });
    drop(server);
    let grant = super::grant(&format!(
        "origins = [\"https://a.test:{port}\"]\nprivate-addresses = [\"127.0.0.1\"]"
    ));
    let client = client(grant);
    let answer = client
        .send(Request::get(format!("https://a.test:{port}/")))
        .await;
    assert_eq!(outcome(&answer), "tls", "{answer:?}");
}

/// A gzip file of `count` zeros and a few more, without its checksum: one literal, then copies of 258 bytes, in the fixed
/// code of DEFLATE (RFC 1951).
fn zeros(count: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(0b011, 3);
    // Codes go from their highest bit on: the literal 0 is 00110000.
    bits.code(0b0011_0000, 8);
    for _ in 0..=count / 258 {
        // Length 258 is symbol 285, distance 1 symbol 0.
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    bits.code(0, 7);
    let length = 1 + 258 * (count / 258 + 1);
    let mut file = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
    file.extend(bits.finish());
    file.extend(crc_of_zeros(length).to_le_bytes());
    file.extend((length as u32).to_le_bytes());
    file
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    /// The lowest bit first.
    fn push(&mut self, value: u32, count: u32) {
        for index in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().unwrap();
            *last |= ((value >> index & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    fn code(&mut self, value: u32, count: u32) {
        self.push(value.reverse_bits() >> (32 - count), count);
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// CRC-32 as gzip has it.
fn crc_of_zeros(count: usize) -> u32 {
    let mut table = [0u32; 256];
    for (index, entry) in table.iter_mut().enumerate() {
        *entry = (0..8).fold(index as u32, |crc, _| match crc & 1 {
            1 => crc >> 1 ^ 0xedb8_8320,
            _ => crc >> 1,
        });
    }
    !(0..count).fold(!0u32, |crc, _| crc >> 8 ^ table[(crc & 0xff) as usize])
}
