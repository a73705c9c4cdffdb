//! An HTTP/1.1 server on 127.0.0.1 that plays a script: connection by connection, what to send and when to pause.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What happens on one connection after its request was read.
#[derive(Clone)]
pub(super) enum Step {
    /// Bytes in one write.
    Send(Vec<u8>),
    /// Bytes, one write each.
    Trickle(Vec<u8>),
    /// Nothing, until the client goes.
    Hang,
}

/// The server; ends with the test's runtime.
pub(super) struct Server {
    pub(super) base: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Plays `connections` in order; later ones get the last script again.
    pub(super) async fn play(connections: Vec<Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = requests.clone();
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let script = connections[number.min(connections.len() - 1)].clone();
                number += 1;
                tokio::spawn(serve(stream, script, seen.clone()));
            }
        });
        Self { base, requests }
    }

    /// One script for every connection.
    pub(super) async fn always(steps: Vec<Step>) -> Self {
        Self::play(vec![steps]).await
    }

    /// The requests so far, head and body.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn serve(mut stream: TcpStream, script: Vec<Step>, seen: Arc<Mutex<Vec<String>>>) {
    stream.set_nodelay(true).unwrap();
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    while !is_whole(&request) {
        match stream.read(&mut buffer).await {
            Ok(count @ 1..) => request.extend_from_slice(&buffer[..count]),
            _ => return,
        }
    }
    seen.lock()
        .unwrap()
        .push(String::from_utf8(request).unwrap());
    for step in script {
        match step {
            Step::Send(bytes) => {
                let _ = stream.write_all(&bytes).await;
            }
            Step::Trickle(bytes) => {
                for byte in bytes {
                    let _ = stream.write_all(&[byte]).await;
                    tokio::task::yield_now().await;
                }
            }
            Step::Hang => tokio::time::sleep(Duration::from_secs(600)).await,
        }
    }
    let _ = stream.shutdown().await;
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, _)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    request.len() >= head.len() + 4 + length.unwrap_or(0)
}

/// A response with a length.
pub(super) fn response(status: u16, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The head of a stream that ends with the connection.
pub(super) fn stream_head() -> Vec<u8> {
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n".to_vec()
}

/// A JSON response.
pub(super) fn json(status: u16, body: &serde_json::Value) -> Vec<Step> {
    vec![Step::Send(response(
        status,
        "Content-Type: application/json\r\n",
        &body.to_string(),
    ))]
}

/// A stream in one write.
pub(super) fn stream(events: &str) -> Vec<Step> {
    vec![Step::Send(
        [stream_head(), events.as_bytes().to_vec()].concat(),
    )]
}
