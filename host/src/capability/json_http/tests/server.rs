//! A server of HTTP/1.1 on 127.0.0.1 that does what a test says, and counts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// What follows a request.
pub(super) enum Step {
    /// Bytes in one write.
    Send(Vec<u8>),
    /// Bytes, one write each.
    Drip(Vec<u8>),
    /// The same bytes again and again, until the client goes.
    Flood(Vec<u8>),
    /// Nothing, until the client goes.
    Hang,
    /// The end of the connection; without it the next request is read.
    Close,
}

/// Answers requests (head and body) until it is dropped.
pub(super) struct Server {
    pub(super) base: String,
    seen: Arc<Seen>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Seen {
    requests: Mutex<Vec<String>>,
    connections: AtomicUsize,
    open: AtomicUsize,
    sent: AtomicUsize,
}

impl Server {
    pub(super) async fn start(answer: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Seen::default());
        let shared = Arc::clone(&seen);
        let answer = Arc::new(answer);
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, answer) = (Arc::clone(&shared), Arc::clone(&answer));
                seen.connections.fetch_add(1, Ordering::SeqCst);
                seen.open.fetch_add(1, Ordering::SeqCst);
                connections.spawn(async move {
                    serve(stream, &seen, &*answer).await;
                    seen.open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { base, seen, task }
    }

    /// The same steps for every request.
    pub(super) async fn always(steps: impl Fn() -> Vec<Step> + Send + Sync + 'static) -> Self {
        Self::start(move |_| steps()).await
    }

    /// The requests so far.
    pub(super) fn requests(&self) -> Vec<String> {
        self.seen.requests.lock().unwrap().clone()
    }

    /// Connections so far.
    pub(super) fn connections(&self) -> usize {
        self.seen.connections.load(Ordering::SeqCst)
    }

    /// Bytes sent so far.
    pub(super) fn sent(&self) -> usize {
        self.seen.sent.load(Ordering::SeqCst)
    }

    /// Waits until no client holds a connection.
    pub(super) async fn left_alone(&self) {
        for _ in 0..1000 {
            if self.seen.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        panic!("a connection stays open");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(mut stream: TcpStream, seen: &Seen, answer: &(dyn Fn(&str) -> Vec<Step> + Sync)) {
    stream.set_nodelay(true).unwrap();
    let mut buffer = Vec::new();
    loop {
        let Some(length) = whole(&buffer) else {
            match stream.read_buf(&mut buffer).await {
                Ok(1..) => continue,
                _ => return,
            }
        };
        let request: Vec<u8> = buffer.drain(..length).collect();
        let request = String::from_utf8(request).unwrap();
        let steps = answer(&request);
        seen.requests.lock().unwrap().push(request);
        for step in steps {
            let written = match step {
                Step::Send(bytes) => {
                    seen.sent.fetch_add(bytes.len(), Ordering::SeqCst);
                    stream.write_all(&bytes).await
                }
                Step::Drip(bytes) => drip(&mut stream, &bytes).await,
                Step::Flood(bytes) => loop {
                    if let Err(error) = stream.write_all(&bytes).await {
                        break Err(error);
                    }
                    seen.sent.fetch_add(bytes.len(), Ordering::SeqCst);
                },
                Step::Hang => match stream.read(&mut [0; 16]).await {
                    Ok(1..) => Ok(()),
                    _ => return,
                },
                Step::Close => return,
            };
            if written.is_err() {
                return;
            }
        }
    }
}

async fn drip(stream: &mut TcpStream, bytes: &[u8]) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[*byte]).await?;
        tokio::task::yield_now().await;
    }
    Ok(())
}

/// Bytes of the first request, once it is whole.
fn whole(buffer: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(buffer);
    let (head, _) = text.split_once("\r\n\r\n")?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    let total = head.len() + 4 + length.unwrap_or(0);
    (buffer.len() >= total).then_some(total)
}

/// A response.
pub(super) fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// A response in JSON, after which the connection stays.
pub(super) fn json(body: &str) -> Vec<Step> {
    let headers = "content-type: application/json\r\n";
    vec![Step::Send(response("200 OK", headers, body.as_bytes()))]
}
