//! Servers of tests: threads and sockets, every request written down.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Answers a request; whether the connection stays.
type Handler = dyn Fn(&Seen, &mut TcpStream) -> io::Result<bool> + Send + Sync;

/// A server on every address of this machine.
pub(super) struct Server {
    pub(super) port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    open: Arc<AtomicUsize>,
}

impl Server {
    pub(super) fn start(
        handler: impl Fn(&Seen, &mut TcpStream) -> io::Result<bool> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("[::]:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            seen: Arc::default(),
            open: Arc::default(),
        };
        let (seen, open) = (Arc::clone(&server.seen), Arc::clone(&server.open));
        let handler: Arc<Handler> = Arc::new(handler);
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

    /// Answers every request with these bytes and closes.
    pub(super) fn fixed(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::start(move |_, stream| stream.write_all(&bytes).map(|()| false))
    }

    pub(super) fn requests(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Waits until no connection is open.
    pub(super) fn all_closed(&self) {
        let end = Instant::now() + Duration::from_secs(10);
        while self.open.load(Ordering::SeqCst) > 0 {
            assert!(Instant::now() < end, "a connection stays open");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub(super) fn open(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Seen>>, handler: &Handler) -> io::Result<()> {
    while let Some(request) = read(&mut stream)? {
        seen.lock().unwrap().push(request.clone());
        if !handler(&request, &mut stream)? {
            stream.shutdown(Shutdown::Write)?;
            // Until the other side has closed too: what it has not read would be lost.
            io::copy(&mut stream, &mut io::sink())?;
            break;
        }
    }
    Ok(())
}

fn read(stream: &mut TcpStream) -> io::Result<Option<Seen>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte)? == 0 {
            return Ok(None);
        }
        head.push(byte[0]);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let mut lines = text.lines();
    let line = lines.next().unwrap_or_default().to_owned();
    let mut words = line.split(' ');
    let mut request = Seen {
        method: words.next().unwrap_or_default().to_owned(),
        ..Seen::default()
    };
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    request.path = path.to_owned();
    request.query = query.to_owned();
    request.headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = request
        .header("content-length")
        .map(|length| length.parse());
    request.body = vec![0; length.and_then(Result::ok).unwrap_or(0)];
    stream.read_exact(&mut request.body)?;
    Ok(Some(request))
}

/// A whole response that closes the connection.
pub(super) fn response(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n",
        body.len()
    );
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}
