//! The provider `json-http`: a server with tools, asked over HTTP. A call is `POST URL/call`, see [`super::wire`].
//!
//! The address is the manifest's, never the guest's: nothing that a guest says can become a part of it. The server is
//! asked as it stands there, without redirects, proxies or cookies; an answer counts as it is after decompression.
#![expect(clippy::disallowed_methods, reason = "asks the server of a grant")]

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, Url};

use super::outcome::Failure;
use super::tool::{FunctionType, ImportType, Provider, Serve, ToolCall};
use super::wire;
use crate::error::text::innermost;
use crate::grant::JsonHttpGrant;
use crate::value::Value;

/// How long an unused connection is kept. Servers close theirs after a few seconds, and a request that crosses with that
/// is lost.
const IDLE: Duration = Duration::from_secs(1);

/// Unused connections that are kept.
const KEPT: usize = 8;

/// Bytes that are read of an answer that only says what went wrong.
const COMPLAINT: usize = 64 << 10;

impl Provider for JsonHttpGrant {
    fn open(&self, _import: &ImportType) -> Result<Arc<dyn Serve>, String> {
        let client = client(&self.url).map_err(|error| innermost(&error))?;
        let mut url = self.url.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("call");
        }
        let server = Server { client, url };
        Ok(Arc::new(Served(Arc::new(server))))
    }
}

struct Served(Arc<Server>);

impl Serve for Served {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>> {
        let server = Arc::clone(&self.0);
        Box::pin(async move { server.call(call).await })
    }
}

struct Server {
    client: Client,
    url: Url,
}

impl Server {
    async fn call(&self, call: ToolCall) -> Result<Option<Value>, Failure> {
        let ToolCall {
            function,
            arguments,
            bounds,
            ..
        } = call;
        let body = wire::request(&function, &arguments);
        drop(arguments);
        let sent = self.client.post(self.url.clone()).body(body).send().await;
        let response = sent.map_err(|error| self.failed(&function, "cannot be asked", error))?;
        if !response.status().is_success() {
            return Err(self.refused(&function, response).await);
        }
        let body = self.read(&function, response, bounds.crossing).await?;
        wire::answer(&function, &body, bounds.crossing)
    }

    async fn read(
        &self,
        function: &FunctionType,
        mut response: Response,
        crossing: u64,
    ) -> Result<Vec<u8>, Failure> {
        let most = wire::most(crossing);
        let announced = response.content_length().unwrap_or(0);
        if announced > most as u64 {
            return Err(wire::too_large(function, crossing, announced));
        }
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if chunk.len() > most - body.len() => {
                    let seen = (body.len() + chunk.len()) as u64;
                    return Err(wire::too_large(function, crossing, seen));
                }
                Ok(Some(chunk)) => body.extend_from_slice(&chunk),
                Ok(None) => return Ok(body),
                Err(error) => {
                    return Err(self.failed(function, "broke off its answer", error));
                }
            }
        }
    }

    /// What the server says about a request that it did not serve.
    async fn refused(&self, function: &FunctionType, mut response: Response) -> Failure {
        let status = response.status();
        let mut said = format!("{} answered {status}", self.url);
        if status.is_redirection() {
            said += ", and redirects are not followed";
        }
        let mut body = Vec::new();
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > COMPLAINT {
                break;
            }
        }
        let words = wire::words_of(&body);
        if !words.trim().is_empty() {
            said = format!("{said}: {words}");
        }
        wire::failed(function, &said)
    }

    fn failed(&self, function: &FunctionType, what: &str, error: reqwest::Error) -> Failure {
        let cause = innermost(&error.without_url());
        wire::failed(function, &format!("{} {what}: {cause}", self.url))
    }
}

/// Certificates of the system are read only where TLS is spoken.
fn client(url: &Url) -> Result<Client, reqwest::Error> {
    // Someone else may have chosen a provider before: theirs stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut headers = HeaderMap::new();
    let json = HeaderValue::from_static("application/json");
    headers.insert(CONTENT_TYPE, json.clone());
    headers.insert(ACCEPT, json);
    let mut builder = Client::builder()
        .user_agent(concat!("lacuna/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers)
        .http1_only()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(KEPT);
    if url.scheme() == "http" {
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}

#[cfg(test)]
mod tests;
