//! The client of one grant: its connections, its secrets, and how a request goes out and a response comes in.
#![expect(
    clippy::disallowed_methods,
    reason = "sends requests to granted origins"
)]

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::HeaderMap;

use super::failure::told;
use super::hop::{Hop, too_many};
use super::names::{Checked, Names};
use super::secret::Secrets;
use super::types::{HttpError, Request, Response};
use crate::grant::HttpGrant;
use crate::grant::http::Origin;

/// Longest wait for a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Longest time in which nothing comes: the head of a response, or the next part of a body. It is shorter than the usual
/// `host-call-wall`, which ends the hole, so that a program can go on to another server. A body that unpacks to nothing
/// for so long ends too: what comes in packed is bounded by this and held in constant memory.
const SILENCE: Duration = Duration::from_secs(20);

/// Connections that are kept for the next request, per origin, and how long.
const IDLE: usize = 4;
/// See [`IDLE`].
const IDLE_TIME: Duration = Duration::from_secs(15);

/// Bodies that are searched for secrets on the spot; longer ones on a thread for blocking work.
const SMALL: usize = 64 * 1024;

/// See the module.
pub(crate) struct Client {
    grant: HttpGrant,
    secrets: Secrets,
    names: Arc<dyn Names>,
    silence: Duration,
    connections: OnceLock<Result<reqwest::Client, String>>,
}

impl Client {
    /// Nothing is opened before the first request.
    pub(super) fn new(grant: HttpGrant, secrets: Secrets, names: Arc<dyn Names>) -> Self {
        Self {
            grant,
            secrets,
            names,
            silence: SILENCE,
            connections: OnceLock::new(),
        }
    }

    /// The same with another longest silence.
    #[cfg(test)]
    pub(super) fn silent_for(mut self, silence: Duration) -> Self {
        self.silence = silence;
        self
    }

    /// Sends a request and follows redirects as far as the grant allows. When the future is dropped, so is the connection.
    pub(super) async fn send(&self, request: Request) -> Result<Response, HttpError> {
        let answer = self.follow(request).await;
        if self.grant.secrets.is_empty() {
            return answer;
        }
        let length = answer.as_ref().map_or(0, |response| response.body.len());
        let secrets = self.secrets.clone();
        let mask = move || masked(&secrets, answer);
        if length <= SMALL {
            return mask();
        }
        let gone = |_| Err(HttpError::Protocol("the body could not be read".to_owned()));
        tokio::task::spawn_blocking(mask).await.unwrap_or_else(gone)
    }

    async fn follow(&self, request: Request) -> Result<Response, HttpError> {
        let mut hop = Hop::first(&self.grant, request)?;
        let mut left = self.grant.redirects;
        loop {
            let response = self.ask(&hop).await?;
            let (status, headers) = (response.status(), response.headers());
            let origin = hop.origin.clone();
            let Some(next) = hop.next(&self.grant, status, headers)? else {
                return self.take(&origin, response).await;
            };
            if left == 0 {
                let allowed = match self.grant.redirects {
                    0 => "the grant allows no redirects".to_owned(),
                    count => format!("this is one more than the {count} that the grant allows"),
                };
                return Err(HttpError::RedirectRefused(format!(
                    "{}: {allowed}",
                    next.url
                )));
            }
            left -= 1;
            hop = next;
        }
    }

    async fn ask(&self, hop: &Hop) -> Result<reqwest::Response, HttpError> {
        let mut request = self
            .connections()?
            .request(hop.method.clone(), hop.url.clone())
            .headers(hop.headers.clone());
        // A grant with secrets has one origin, and every hop is checked against it; this holds by itself.
        if self.grant.origins == [hop.origin.clone()] {
            request = request.headers(self.secrets.headers().clone());
        }
        if !hop.body.is_empty() {
            request = request.body(hop.body.clone());
        }
        let response = self.heard(&hop.origin, request.send()).await?;
        if too_many(response.headers()) {
            return Err(HttpError::TooLarge(format!(
                "{}: more than 64 headers, or 32 KiB of them",
                hop.origin
            )));
        }
        Ok(response)
    }

    async fn take(
        &self,
        origin: &Origin,
        mut response: reqwest::Response,
    ) -> Result<Response, HttpError> {
        let most = self.grant.max_body;
        let mut body = Vec::new();
        while let Some(part) = self.heard(origin, response.chunk()).await? {
            if (body.len() + part.len()) as u64 > most {
                return Err(HttpError::TooLarge(format!(
                    "{}: the body is larger than `max-body`, {most} bytes",
                    origin
                )));
            }
            body.extend_from_slice(&part);
        }
        Ok(Response {
            status: response.status().as_u16(),
            headers: texts(response.headers()),
            body,
        })
    }

    /// Waits for what the server says next.
    async fn heard<R>(
        &self,
        origin: &Origin,
        next: impl Future<Output = reqwest::Result<R>>,
    ) -> Result<R, HttpError> {
        match tokio::time::timeout(self.silence, next).await {
            Ok(heard) => heard.map_err(|error| told(&error, origin)),
            Err(_) => Err(HttpError::Timeout(format!(
                "{}: nothing came for {} s",
                origin,
                self.silence.as_secs_f64()
            ))),
        }
    }

    fn connections(&self) -> Result<&reqwest::Client, HttpError> {
        let made = self
            .connections
            .get_or_init(|| self.connect().map_err(|error| error.to_string()));
        made.as_ref()
            .map_err(|reason| HttpError::Tls(format!("no certificates: {reason}")))
    }

    fn connect(&self) -> reqwest::Result<reqwest::Client> {
        // Someone else may have chosen a provider before: theirs stays.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let resolver = Checked {
            names: Arc::clone(&self.names),
            granted: self.grant.private_addresses.clone(),
        };
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("lacuna/", env!("CARGO_PKG_VERSION")))
            .dns_resolver(Arc::new(resolver))
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http1_only()
            .connect_timeout(CONNECT)
            .pool_max_idle_per_host(IDLE)
            .pool_idle_timeout(IDLE_TIME);
        // The system's certificates are read only when TLS is spoken.
        if !self.grant.origins.iter().any(|origin| origin.is_secure()) {
            builder = builder.tls_certs_only([]);
        }
        builder.build()
    }
}

/// Without secrets.
fn masked(secrets: &Secrets, answer: Result<Response, HttpError>) -> Result<Response, HttpError> {
    let mask = secrets.mask();
    match answer {
        Ok(response) => Ok(Response {
            status: response.status,
            headers: response
                .headers
                .into_iter()
                .map(|(name, value)| (mask.text(name), mask.text(value)))
                .collect(),
            body: mask.bytes(response.body),
        }),
        Err(mut error) => {
            if let Some(text) = error.text_mut() {
                *text = mask.text(std::mem::take(text));
            }
            Err(error)
        }
    }
}

fn texts(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
        .collect()
}
