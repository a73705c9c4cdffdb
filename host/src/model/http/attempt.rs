//! One try: send, and read what comes, in pieces or at once.

use std::time::{Duration, SystemTime};

use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use super::address::cause;
use super::failure::Failure;
use super::pieces::Pieces;
use super::retry::{hinted, retry_after};
use super::sse::TooLong;
use super::{Http, Reply};
use crate::model::{ModelError, Request};

/// Bytes of an error's body that are read.
const ERROR_BODY: usize = 64 * 1024;

/// One try of a request.
pub(super) struct Try<'a> {
    pub(super) http: &'a Http,
    pub(super) request: &'a Request<'a>,
    /// Which one, from 1.
    pub(super) tries: u32,
}

impl Try<'_> {
    /// Silence is watched from the first byte out: a server that takes the request and says nothing is as silent as one
    /// that stops in the middle.
    pub(super) async fn reply(&self) -> Result<Reply, Failure> {
        let http = self.http;
        let sent = http
            .client
            .post(http.url.clone())
            .headers(http.headers.clone())
            .body(http.body(self.request).to_string())
            .send();
        let response = self.unless_silent(sent).await?.map_err(|error| {
            Failure::Passing(
                ModelError::Unreachable {
                    server: http.server.clone(),
                    cause: http.clean(&cause(error)),
                    tries: self.tries,
                    address: http.service.address,
                },
                None,
            )
        })?;
        if !response.status().is_success() {
            return Err(self.failed(response).await);
        }
        if let Some(encoding) = encoding(response.headers()) {
            return Err(self.broken(&compressed(&encoding)));
        }
        let kind = content_type(&response);
        match Pieces::of(&kind, self.most_raw()) {
            Some(pieces) => self.stream(response, pieces).await,
            None => self.whole(response, &kind).await,
        }
    }

    async fn stream(&self, mut response: Response, mut pieces: Pieces) -> Result<Reply, Failure> {
        let mut reply = Reply::default();
        loop {
            let chunk = match self.unless_silent(response.chunk()).await {
                Ok(Ok(chunk)) => chunk,
                // The answer was complete: what broke, or never came, is only the good-bye.
                _ if reply.end.is_some() => return Ok(reply),
                Ok(Err(error)) => return Err(self.broken(&cause(error))),
                Err(silence) => return Err(silence),
            };
            let Some(chunk) = chunk else { break };
            let complete = pieces.push(&chunk).map_err(|TooLong| self.too_large())?;
            for piece in complete {
                if self.piece(&mut reply, &piece)? {
                    return Ok(reply);
                }
            }
        }
        self.rest(reply, pieces)
    }

    /// What stands behind the last complete piece.
    fn rest(&self, mut reply: Reply, pieces: Pieces) -> Result<Reply, Failure> {
        if let Some(piece) = pieces.finish() {
            self.piece(&mut reply, &piece)?;
        }
        if reply.end.is_some() || reply.last {
            Ok(reply)
        } else {
            Err(self.broken("the stream ended in the middle"))
        }
    }

    /// Takes one piece; `true` when it was the last.
    fn piece(&self, reply: &mut Reply, piece: &[u8]) -> Result<bool, Failure> {
        let piece = piece.trim_ascii();
        if piece == b"[DONE]" {
            reply.last = true;
        } else if !piece.is_empty() {
            let value: Value = serde_json::from_slice(piece).map_err(|error| {
                self.broken(&format!(
                    "an event is no JSON ({error}): {}",
                    String::from_utf8_lossy(piece)
                ))
            })?;
            self.take(reply, &value)?;
        }
        Ok(reply.last)
    }

    /// An answer in one piece, from servers that do not stream. Some of them stream without saying so.
    async fn whole(&self, response: Response, kind: &str) -> Result<Reply, Failure> {
        let (body, complete) = self.read(response, self.most_raw()).await?;
        if !complete {
            return Err(self.too_large());
        }
        let mut reply = Reply::default();
        if let Some(mut pieces) = Pieces::guess(&body, self.most_raw()) {
            for piece in pieces.push(&body).map_err(|TooLong| self.too_large())? {
                if self.piece(&mut reply, &piece)? {
                    return Ok(reply);
                }
            }
            return self.rest(reply, pieces);
        }
        let values = values(&body).ok_or_else(|| {
            let begin = String::from_utf8_lossy(&body);
            self.broken(&format!("it is no JSON but `{kind}`: {begin}"))
        })?;
        for value in &values {
            self.take(&mut reply, value)?;
        }
        if !reply.begun {
            return Err(self.broken(&format!("it has no `{}`", self.http.service.substance)));
        }
        if values.len() > 1 && reply.end.is_none() {
            return Err(self.broken("the stream ended in the middle"));
        }
        Ok(reply)
    }

    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), Failure> {
        let http = self.http;
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            let status = http.form.status(error).unwrap_or(200);
            let failure = http.classify(status, error, hinted(error), self.tries);
            // Text that has already come must not come twice.
            return Err(match failure {
                Failure::Passing(error, _) if !reply.text.is_empty() => Failure::Lasting(error),
                failure => failure,
            });
        }
        if !value.is_object() {
            return Err(self.broken(&format!("it is no object: {value}")));
        }
        let before = reply.text.len();
        http.form
            .take(reply, value)
            .map_err(|reason| self.broken(&reason))?;
        let received = reply.text.len() as u64;
        if received > self.request.limits.answer {
            return Err(self.too_large());
        }
        if reply.text.len() > before {
            (self.request.received)(received);
        }
        Ok(())
    }

    /// The error of a response whose status is one.
    async fn failed(&self, response: Response) -> Failure {
        let status = response.status().as_u16();
        let wait = wait_of(response.headers());
        if let Some(encoding) = encoding(response.headers()) {
            let words = Value::String(compressed(&encoding));
            return self.http.classify(status, &words, wait, self.tries);
        }
        // The status says enough: a body that breaks or stalls does not hide it.
        let body = match self.read(response, ERROR_BODY).await {
            Ok((body, _)) => body,
            Err(_) => Vec::new(),
        };
        let value = serde_json::from_slice(&body)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
        // A service that streams its answers as a list has its errors in a list too.
        let value = value.get(0).unwrap_or(&value);
        let error = value.get("error").unwrap_or(value);
        let wait = wait.or_else(|| hinted(error));
        self.http.classify(status, error, wait, self.tries)
    }

    /// Reads a body; `false` when it is longer than `most` and was cut.
    async fn read(&self, mut response: Response, most: usize) -> Result<(Vec<u8>, bool), Failure> {
        let mut body = Vec::new();
        loop {
            match self.unless_silent(response.chunk()).await? {
                Ok(None) => return Ok((body, true)),
                Ok(Some(chunk)) if body.len() + chunk.len() > most => {
                    body.extend_from_slice(&chunk[..most - body.len()]);
                    return Ok((body, false));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Err(error) => return Err(self.broken(&cause(error))),
            }
        }
    }

    async fn unless_silent<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        let silence = self.request.limits.silence;
        tokio::time::timeout(silence, work).await.map_err(|_| {
            let server = self.http.server.clone();
            Failure::Lasting(ModelError::Silence { server, silence })
        })
    }

    /// Bytes that one piece, or an answer at once, may have: JSON may write a character of the answer as six.
    fn most_raw(&self) -> usize {
        let answer = self.request.limits.answer;
        let most = answer.saturating_mul(6).saturating_add(64 * 1024);
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    fn broken(&self, reason: &str) -> Failure {
        Failure::Lasting(ModelError::Malformed {
            from: self.http.name.clone(),
            reason: self.http.clean(reason),
        })
    }

    fn too_large(&self) -> Failure {
        Failure::Lasting(ModelError::TooLarge {
            model: self.http.name.clone(),
            limit: self.request.limits.answer,
        })
    }
}

/// The values of a body: one, several lines of them, or a list, which is how some services stream. `None` when it is
/// not JSON all through.
fn values(body: &[u8]) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_slice(body).into_iter::<Value>() {
        match value.ok()? {
            Value::Array(several) => values.extend(several),
            value => values.push(value),
        }
    }
    (!values.is_empty()).then_some(values)
}

/// The wait that the headers ask for; the one in milliseconds is not in the RFC, but exact.
fn wait_of(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let millis = text("retry-after-ms")
        .and_then(|text| text.trim().parse().ok())
        .map(Duration::from_millis);
    millis.or_else(|| retry_after(text(RETRY_AFTER.as_str())?, SystemTime::now()))
}

/// How a body is compressed, which no request asks for.
fn encoding(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_ENCODING)?;
    let name = String::from_utf8_lossy(value.as_bytes()).trim().to_owned();
    (!name.is_empty() && !name.eq_ignore_ascii_case("identity")).then_some(name)
}

fn compressed(encoding: &str) -> String {
    format!("its body is compressed (`Content-Encoding: {encoding}`), which was not asked for")
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok());
    value.unwrap_or("unknown").to_ascii_lowercase()
}
