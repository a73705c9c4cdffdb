//! A server of HTTP/1.1 on 127.0.0.1 that answers as a test says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// What follows a request.
#[derive(Clone)]
pub(crate) enum Answer {
    /// This; the next request may come.
    Send(String),
    /// This, and the end of the connection.
    Close(String),
    /// This, and nothing more.
    Hang(String),
    /// This, and then a blank every now and then.
    Drip(String),
    /// This, and then the same again and again.
    Flood(String, String),
    /// There is no server.
    Refuse,
}

impl Answer {
    /// A success.
    pub(crate) fn json(body: &str) -> Self {
        let length = body.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        Self::Send(head + body)
    }
}

/// Answers until it is stopped.
pub(crate) struct Server {
    pub(crate) base: String,
    open: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Server {
    /// `answer` gets the body of each request.
    pub(crate) async fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let open = Arc::new(AtomicUsize::new(0));
        let (counted, answer) = (Arc::clone(&open), Arc::new(answer));
        let task = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                tokio::select! {
                    accepted = listener.accept() => {
                        let (open, answer) = (Arc::clone(&counted), Arc::clone(&answer));
                        open.fetch_add(1, Ordering::SeqCst);
                        connections.spawn(async move {
                            let _ = serve(accepted.unwrap().0, &*answer).await;
                            open.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                    // Those that have ended.
                    Some(_) = connections.join_next() => {}
                }
            }
        });
        Self { base, open, task }
    }

    /// Waits until no client holds a connection.
    pub(crate) async fn nobody(&self) {
        for _ in 0..1000 {
            if self.open.load(Ordering::SeqCst) == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("a connection stays open");
    }

    /// Ends it, and waits until its port is closed.
    pub(crate) async fn stop(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

async fn serve(
    mut stream: TcpStream,
    answer: &(dyn Fn(&str) -> Answer + Sync),
) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    loop {
        let Some((start, end)) = whole(&buffer) else {
            match stream.read_buf(&mut buffer).await? {
                0 => return Ok(()),
                _ => continue,
            }
        };
        let answer = answer(std::str::from_utf8(&buffer[start..end]).unwrap());
        buffer.drain(..end);
        match answer {
            Answer::Send(text) => stream.write_all(text.as_bytes()).await?,
            Answer::Close(text) => return stream.write_all(text.as_bytes()).await,
            Answer::Hang(text) => {
                stream.write_all(text.as_bytes()).await?;
                stream.read_buf(&mut buffer).await?;
                return Ok(());
            }
            Answer::Drip(text) => {
                stream.write_all(text.as_bytes()).await?;
                loop {
                    stream.write_all(b" ").await?;
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
            Answer::Flood(text, more) => {
                stream.write_all(text.as_bytes()).await?;
                loop {
                    stream.write_all(more.as_bytes()).await?;
                }
            }
            Answer::Refuse => return Ok(()),
        }
    }
}

/// Where the body of the first request begins and ends, once it is there.
fn whole(buffer: &[u8]) -> Option<(usize, usize)> {
    let text = String::from_utf8_lossy(buffer);
    let start = text.find("\r\n\r\n")? + 4;
    let length = text[..start].lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    let end = start + length.unwrap_or(0);
    (buffer.len() >= end).then_some((start, end))
}
