//! An HTTP server on 127.0.0.1 that answers in the form of OpenAI's chat completions, or with given bytes.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What one request is answered with.
#[derive(Clone)]
pub(crate) enum Reply {
    /// A stream of events, written byte by byte.
    Streamed(String),
    /// A whole response.
    Whole(u16, Value),
    /// A response as it goes over the wire, written byte by byte.
    Raw(String),
}

/// The server; its thread ends with the test program.
pub(crate) struct Server {
    /// For `OPENAI_BASE_URL`.
    pub(crate) base: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Gives these replies in order, the last one for ever.
    pub(crate) fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let reply = replies[number.min(replies.len() - 1)].clone();
                serve(stream, &reply, &seen);
            }
        });
        Self { base, requests }
    }

    /// The requests so far, head and body.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

fn serve(mut stream: TcpStream, reply: &Reply, seen: &Mutex<Vec<String>>) {
    stream.set_nodelay(true).unwrap();
    let Some(request) = read(&mut stream) else {
        return;
    };
    seen.lock().unwrap().push(request);
    // A client that has gone away is its own business.
    let _ = match reply {
        Reply::Streamed(text) => streamed(&mut stream, text),
        Reply::Whole(status, body) => {
            let body = body.to_string();
            let head = format!(
                "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            stream.write_all(format!("{head}{body}").as_bytes())
        }
        Reply::Raw(response) => bytewise(&mut stream, response),
    };
}

/// Every byte is a write of its own, so that characters and events are split wherever they can be.
fn streamed(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
    )?;
    let mut events = String::new();
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(7) {
        let piece: String = piece.iter().collect();
        events += &event(
            &json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]}),
        );
    }
    events += &event(
        &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": null}),
    );
    events +=
        &event(&json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}));
    events += "data: [DONE]\n\n";
    bytewise(stream, &events)
}

fn bytewise(stream: &mut TcpStream, text: &str) -> std::io::Result<()> {
    for byte in text.as_bytes() {
        stream.write_all(&[*byte])?;
    }
    Ok(())
}

fn event(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn read(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let wanted = name.eq_ignore_ascii_case("content-length");
                wanted.then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(text.into_owned());
            }
        }
        match stream.read(&mut buffer) {
            Ok(count @ 1..) => request.extend_from_slice(&buffer[..count]),
            _ => return None,
        }
    }
}
