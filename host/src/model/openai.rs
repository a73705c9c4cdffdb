//! OpenAI's chat-completions form, which many servers speak.

mod address;
mod failure;
mod reply;

use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response, Url};
use serde_json::{Value, json};

use crate::plan::manifest::ModelConfig;

use self::address::{cause, client, endpoint, shown};
use self::failure::Failure;
use self::reply::Reply;
use super::clock::Clock;
use super::keys::Secrets;
use super::retry::{Backoff, retry_after};
use super::settings::missing;
use super::sse::{Events, TooLong};
use super::text::one_line;
use super::{Answer, Completion, Environment, Model, ModelError, Request};

const PUBLIC: &str = "https://api.openai.com/v1";
const KEY: &str = crate::environment::OPENAI_API_KEY;

/// Bytes of an error's body that are read.
const ERROR_BODY: usize = 64 * 1024;

/// A server with a model.
pub(super) struct OpenAi {
    name: String,
    model: String,
    client: Client,
    url: Url,
    server: String,
    authorization: Option<HeaderValue>,
    key_withheld: bool,
    secrets: Secrets,
    max_output_tokens: u64,
    temperature: Option<f64>,
    timeout: Duration,
    pub(super) backoff: Backoff,
}

impl OpenAi {
    /// The address is the manifest's `base-url`, else `OPENAI_BASE_URL`, else the public one, which alone needs a key.
    ///
    /// The key goes to the public address and to `OPENAI_BASE_URL` only: whoever wrote the manifest is not whoever owns
    /// the key, and a plan from elsewhere must not be able to send it to a server of its choice.
    pub(super) fn open(
        config: &ModelConfig,
        environment: &Environment,
    ) -> Result<Self, ModelError> {
        let model = config.model.clone().filter(|model| !model.is_empty());
        let model = model.ok_or_else(|| missing(config, "model"))?;
        let base = config.base_url.as_deref().or(environment.openai_base_url());
        let setting = |message: String| ModelError::Setting {
            message,
            place: config
                .base_url
                .as_ref()
                .map(|_| config.provider.place.clone()),
        };
        let origin = if config.base_url.is_some() {
            "`base-url`"
        } else {
            "OPENAI_BASE_URL"
        };
        let url = endpoint(base.unwrap_or(PUBLIC))
            .map_err(|reason| setting(format!("{origin} cannot be used: {reason}")))?;
        let name = format!("openai:{}", one_line(&model));
        let known = |base: &str| endpoint(base).is_ok_and(|known| known == url);
        let trusted = known(PUBLIC) || environment.openai_base_url().is_some_and(known);
        let key_withheld = environment.openai_key().is_some() && !trusted;
        let key = environment.openai_key().filter(|_| trusted);
        if base.is_none() && key.is_none() {
            return Err(ModelError::MissingKey {
                model: name,
                variable: KEY,
            });
        }
        let authorization = key
            .map(|key| HeaderValue::from_str(&format!("Bearer {}", key.expose())))
            .transpose()
            .map_err(|_| {
                setting(format!(
                    "the key in {KEY} has characters that no header can carry"
                ))
            })?
            .map(|mut value| {
                value.set_sensitive(true);
                value
            });
        let client = client(&url).map_err(|error| setting(format!("no TLS: {}", cause(error))))?;
        Ok(Self {
            name,
            model,
            client,
            server: shown(&url),
            url,
            authorization,
            key_withheld,
            secrets: environment.secrets(),
            max_output_tokens: config.max_output_tokens,
            temperature: config.temperature,
            timeout: config.timeout,
            backoff: Backoff::default(),
        })
    }

    async fn ask(&self, request: &Request<'_>) -> Result<Answer, ModelError> {
        let clock = Clock::start(request, self.timeout);
        let mut retries = 0;
        loop {
            let (error, wait) = match clock.within(self.attempt(request, retries + 1)).await? {
                Ok(reply) => return self.answer(reply, &clock, request),
                Err(Failure::Lasting(error)) => return Err(error),
                Err(Failure::Passing(error, wait)) => (error, wait),
            };
            let wait = wait.unwrap_or_else(|| self.backoff.wait(retries));
            if retries >= request.limits.retries || wait >= clock.left() {
                return Err(error);
            }
            retries += 1;
            (request.notify)(&format!(
                "{}: {error}; retry {retries} of {} in {:.1} s",
                self.name,
                request.limits.retries,
                wait.as_secs_f64()
            ));
            clock.within(tokio::time::sleep(wait)).await?;
        }
    }

    /// One request. Silence is watched from the first byte out: a server that takes the request and says nothing is as
    /// silent as one that stops in the middle.
    async fn attempt(&self, request: &Request<'_>, tries: u32) -> Result<Reply, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("text/event-stream, application/json"),
        );
        if let Some(value) = &self.authorization {
            headers.insert(reqwest::header::AUTHORIZATION, value.clone());
        }
        let sent = self
            .client
            .post(self.url.clone())
            .headers(headers)
            .body(self.body(request).to_string())
            .send();
        let response = self.unless_silent(request, sent).await?.map_err(|error| {
            Failure::Passing(
                ModelError::Unreachable {
                    server: self.server.clone(),
                    cause: self.clean(&cause(error)),
                    tries,
                },
                None,
            )
        })?;
        if !response.status().is_success() {
            return Err(self.failed(request, response, tries).await);
        }
        let kind = content_type(&response);
        if kind.contains("event-stream") {
            self.stream(request, response, tries).await
        } else {
            self.whole(request, response, &kind, tries).await
        }
    }

    fn most_tokens(&self, request: &Request<'_>) -> u64 {
        self.max_output_tokens.min(request.output_tokens)
    }

    /// The request's JSON. The prompt's head is a message of its own, the same bytes for every hole, so that servers
    /// can cache it.
    fn body(&self, request: &Request<'_>) -> Value {
        let prompt = request.prompt;
        let (head, rest) = prompt
            .text
            .split_at_checked(prompt.head)
            .unwrap_or(("", &prompt.text));
        let mut messages = Vec::new();
        if !head.is_empty() {
            messages.push(json!({"role": "system", "content": head}));
        }
        messages.push(json!({"role": "user", "content": rest}));
        // The public service's newer models refuse the old name, most other servers know only that one.
        let limit = if self.url.host_str() == Some("api.openai.com") {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        let mut body = json!({
            "model": self.model,
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
            (limit): self.most_tokens(request),
        });
        if let Some(temperature) = self.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    async fn stream(
        &self,
        request: &Request<'_>,
        mut response: Response,
        tries: u32,
    ) -> Result<Reply, Failure> {
        let mut events = Events::new(most_raw(request));
        let mut reply = Reply::default();
        loop {
            let chunk = match self.unless_silent(request, response.chunk()).await? {
                Ok(chunk) => chunk,
                // The answer was complete: what broke is only the good-bye.
                Err(_) if reply.finished() => return Ok(reply),
                Err(error) => return Err(self.broken(&cause(error))),
            };
            let Some(chunk) = chunk else { break };
            let complete = events
                .push(&chunk)
                .map_err(|TooLong| self.too_large(request))?;
            for data in complete {
                if self.event(request, &mut reply, &data, tries)? {
                    return Ok(reply);
                }
            }
        }
        if let Some(data) = events.finish()
            && self.event(request, &mut reply, &data, tries)?
        {
            return Ok(reply);
        }
        if reply.finished() {
            Ok(reply)
        } else {
            Err(self.broken("the stream ended in the middle"))
        }
    }

    /// Takes one event; `true` when it was the last.
    fn event(
        &self,
        request: &Request<'_>,
        reply: &mut Reply,
        data: &[u8],
        tries: u32,
    ) -> Result<bool, Failure> {
        let data = data.trim_ascii();
        if data == b"[DONE]" {
            return Ok(true);
        }
        if data.is_empty() {
            return Ok(false);
        }
        let value: Value = serde_json::from_slice(data).map_err(|error| {
            self.broken(&format!(
                "an event is no JSON ({error}): {}",
                String::from_utf8_lossy(data)
            ))
        })?;
        self.take(request, reply, &value, tries)?;
        Ok(false)
    }

    /// An answer in one piece, from servers that do not stream. Some of them stream without saying so.
    async fn whole(
        &self,
        request: &Request<'_>,
        response: Response,
        kind: &str,
        tries: u32,
    ) -> Result<Reply, Failure> {
        let (body, complete) = self.read(request, response, most_raw(request)).await?;
        if !complete {
            return Err(self.too_large(request));
        }
        let mut reply = Reply::default();
        let start = body.trim_ascii_start();
        if [&b"data:"[..], b"event:", b": "]
            .iter()
            .any(|field| start.starts_with(field))
        {
            let mut events = Events::new(most_raw(request));
            let mut all = events
                .push(&body)
                .map_err(|TooLong| self.too_large(request))?;
            all.extend(events.finish());
            for data in all {
                if self.event(request, &mut reply, &data, tries)? {
                    return Ok(reply);
                }
            }
            return if reply.finished() {
                Ok(reply)
            } else {
                Err(self.broken("the stream ended in the middle"))
            };
        }
        let value: Value = serde_json::from_slice(&body).map_err(|_| {
            let begin = String::from_utf8_lossy(&body);
            self.broken(&format!("it is no JSON but `{kind}`: {begin}"))
        })?;
        self.take(request, &mut reply, &value, tries)?;
        if value["choices"].get(0).is_none() {
            return Err(self.broken("it has no `choices`"));
        }
        Ok(reply)
    }

    fn take(
        &self,
        request: &Request<'_>,
        reply: &mut Reply,
        value: &Value,
        tries: u32,
    ) -> Result<(), Failure> {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            let status = error["code"]
                .as_u64()
                .and_then(|code| u16::try_from(code).ok());
            let failure = self.classify(status.unwrap_or(200), value, None, tries);
            // Text that has already come must not come twice.
            return Err(match failure {
                Failure::Passing(error, _) if !reply.text.is_empty() => Failure::Lasting(error),
                failure => failure,
            });
        }
        reply.take(value).map_err(|reason| self.broken(&reason))?;
        if reply.text.len() as u64 > request.limits.answer {
            return Err(self.too_large(request));
        }
        Ok(())
    }

    /// The error of a response whose status is one.
    async fn failed(&self, request: &Request<'_>, response: Response, tries: u32) -> Failure {
        let status = response.status().as_u16();
        let wait = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| retry_after(text, SystemTime::now()));
        // The status says enough: a body that breaks or stalls does not hide it.
        let body = match self.read(request, response, ERROR_BODY).await {
            Ok((body, _)) => body,
            Err(_) => Vec::new(),
        };
        let value = serde_json::from_slice(&body)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&body).into_owned()));
        self.classify(status, &value, wait, tries)
    }

    /// Reads a body; `false` when it is longer than `most` and was cut.
    async fn read(
        &self,
        request: &Request<'_>,
        mut response: Response,
        most: usize,
    ) -> Result<(Vec<u8>, bool), Failure> {
        let mut body = Vec::new();
        loop {
            match self.unless_silent(request, response.chunk()).await? {
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

    fn answer(
        &self,
        reply: Reply,
        clock: &Clock,
        request: &Request<'_>,
    ) -> Result<Answer, ModelError> {
        let model = self.name.clone();
        if !reply.refusal.trim().is_empty() {
            let message = self.clean(&reply.refusal);
            return Err(ModelError::Refusal { model, message });
        }
        match reply.finish.as_deref() {
            Some("length") => {
                let max_output_tokens = self.most_tokens(request);
                return Err(ModelError::CutByLength {
                    model,
                    max_output_tokens,
                });
            }
            Some("content_filter") => {
                let message = "a content filter stopped the answer".to_owned();
                return Err(ModelError::Refusal { model, message });
            }
            _ => {}
        }
        if reply.text.trim().is_empty() {
            return Err(ModelError::Empty { model });
        }
        // An honest server never sends the key back; what a dishonest one sends would end in trace and prompt.
        if self.secrets.appear_in(&reply.text) {
            (request.notify)(&format!(
                "{model}: the answer held a key of the environment; it is masked"
            ));
        }
        Ok(Answer {
            text: self.secrets.mask_known(reply.text),
            tokens_in: reply.tokens_in,
            tokens_out: reply.tokens_out,
            stop_reason: reply.finish.map(|reason| self.clean(&reason)),
            elapsed: clock.elapsed(),
        })
    }

    async fn unless_silent<T>(
        &self,
        request: &Request<'_>,
        work: impl Future<Output = T>,
    ) -> Result<T, Failure> {
        let silence = request.limits.silence;
        tokio::time::timeout(silence, work).await.map_err(|_| {
            let server = self.server.clone();
            Failure::Lasting(ModelError::Silence { server, silence })
        })
    }

    fn clean(&self, text: &str) -> String {
        one_line(&self.secrets.mask(text))
    }

    fn broken(&self, reason: &str) -> Failure {
        Failure::Lasting(ModelError::Malformed {
            from: self.name.clone(),
            reason: self.clean(reason),
        })
    }

    fn too_large(&self, request: &Request<'_>) -> Failure {
        Failure::Lasting(ModelError::TooLarge {
            model: self.name.clone(),
            limit: request.limits.answer,
        })
    }
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(self.ask(request))
    }
}

fn content_type(response: &Response) -> String {
    let value = response.headers().get(CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok());
    value.unwrap_or("unknown").to_ascii_lowercase()
}

/// Bytes that one event, or an answer in one piece, may have: JSON may write a character of the answer as six.
fn most_raw(request: &Request<'_>) -> usize {
    let most = request
        .limits
        .answer
        .saturating_mul(6)
        .saturating_add(64 * 1024);
    usize::try_from(most).unwrap_or(usize::MAX)
}
