//! A server for guests, one request a connection.

use std::io::{self, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) path: String,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Seen {
    /// The value of a header; its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let header = lines.find(|(known, _)| known.eq_ignore_ascii_case(name));
        header.map(|(_, value)| value)
    }
}

/// Its thread ends with the test program.
pub(crate) struct Server {
    /// `http://127.0.0.1:PORT`.
    pub(crate) base: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    open: Arc<AtomicUsize>,
}

impl Server {
    /// Answers with `handler` and closes.
    pub(crate) fn start(
        handler: impl Fn(&Seen, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            base: format!("http://{}", listener.local_addr().unwrap()),
            seen: Arc::default(),
            open: Arc::default(),
        };
        let (seen, open) = (Arc::clone(&server.seen), Arc::clone(&server.open));
        let handler = Arc::new(handler);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, open) = (Arc::clone(&seen), Arc::clone(&open));
                let handler = Arc::clone(&handler);
                open.fetch_add(1, Ordering::SeqCst);
                std::thread::spawn(move || {
                    let _ = serve(stream, &seen, &*handler);
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until no connection is open.
    pub(crate) fn all_closed(&self) {
        let end = Instant::now() + Duration::from_secs(10);
        while self.open.load(Ordering::SeqCst) > 0 {
            assert!(Instant::now() < end, "a connection stays open");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Seen>>,
    handler: &dyn Fn(&Seen, &mut TcpStream) -> io::Result<()>,
) -> io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(());
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut request = Seen {
        path,
        head,
        body: Vec::new(),
    };
    let length = request.header("content-length").map(str::parse);
    request.body = vec![0; length.and_then(Result::ok).unwrap_or(0)];
    stream.read_exact(&mut request.body)?;
    seen.lock().unwrap().push(request.clone());
    handler(&request, &mut stream)?;
    stream.shutdown(Shutdown::Write)?;
    // Until the other side has closed too: what it has not read would be lost.
    io::copy(&mut stream, &mut io::sink())?;
    Ok(())
}

/// A whole response.
pub(crate) fn response(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut text =
        format!("HTTP/1.1 {status} X\r\ncontent-length: {length}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// A secret in the forms in which servers echo things.
pub(crate) fn forms(secret: &str) -> Vec<String> {
    let each = |form: &dyn Fn(u8) -> String| secret.bytes().map(form).collect::<String>();
    vec![
        secret.to_owned(),
        each(&|byte| format!("%{byte:02X}")),
        each(&|byte| match byte.is_ascii_alphanumeric() {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02x}"),
        }),
        each(&|byte| format!("\\u{byte:04x}")),
        each(&|byte| format!("&#{byte};")),
        each(&|byte| format!("{byte:02x}")),
        each(&|byte| format!("{byte:02X}")),
        secret.replace('/', "\\/"),
        STANDARD.encode(secret),
        STANDARD.encode(format!("a{secret}")),
        STANDARD.encode(format!("ab{secret}")),
        URL_SAFE_NO_PAD.encode(secret),
        URL_SAFE_NO_PAD.encode(format!("a{secret}")),
        URL_SAFE_NO_PAD.encode(format!("ab{secret}")),
        STANDARD
            .encode(secret)
            .replace('+', "%2B")
            .replace('/', "%2F")
            .replace('=', "%3D"),
    ]
}
