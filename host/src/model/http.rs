//! What all providers over HTTP share: where a request goes and who gets the key, retries, limits, reading an answer that
//! comes in pieces or at once. What differs (the form of a request, of a reply, of a failure) is a [`Form`].

mod address;
mod attempt;
mod failure;
mod form;
mod pieces;
mod reply;
pub(super) mod retry;
mod sse;

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use serde_json::Value;

use crate::error::text::one_line;
use crate::plan::manifest::ModelConfig;

pub(super) use self::address::{base, has_version, push};
pub(super) use self::failure::Kind;
pub(super) use self::form::{Ask, Form, Key, Service};
pub(super) use self::reply::{End, Reply};

use self::address::{cause, client, full_address, shown};
use self::attempt::Try;
use self::failure::Failure;
use self::retry::Backoff;
use super::clock::Clock;
use super::keys::Secrets;
use super::settings::missing;
use super::{Answer, Completion, Environment, Model, ModelError, Request};

/// A server with a model.
pub(super) struct Http {
    form: &'static dyn Form,
    service: &'static Service,
    name: String,
    model: String,
    client: Client,
    url: Url,
    server: String,
    headers: HeaderMap,
    key_sent: bool,
    key_withheld: bool,
    secrets: Secrets,
    max_output_tokens: u64,
    temperature: Option<f64>,
    timeout: Duration,
    pub(super) backoff: Backoff,
}

impl Http {
    /// The address is the manifest's `base-url`, else the variable of the service, else its public one, which alone
    /// needs a key.
    ///
    /// The key goes to the public address and to that of the variable only: whoever wrote the manifest is not whoever
    /// owns the key, and a plan from elsewhere must not be able to send it to a server of its choice.
    pub(super) fn open(
        form: &'static dyn Form,
        config: &ModelConfig,
        environment: &Environment,
    ) -> Result<Self, ModelError> {
        let service = form.service();
        let model = config
            .model
            .clone()
            .filter(|model| !model.trim().is_empty());
        let model = model.ok_or_else(|| missing(config, "model"))?;
        let of_user = environment.text(service.address);
        let base = config.base_url.as_deref().or(of_user);
        let setting = |message: String| ModelError::Setting {
            message,
            place: config
                .base_url
                .as_ref()
                .map(|_| config.provider.place.clone()),
            hint: None,
        };
        let origin = if config.base_url.is_some() {
            "`base-url`"
        } else {
            service.address
        };
        let endpoint = |base: &str| form.base(base).map(|base| form.endpoint(base, &model));
        let url = endpoint(base.unwrap_or(service.public)).map_err(|reason| {
            let mut error = setting(format!("{origin} cannot be used: {reason}"));
            if let ModelError::Setting { hint, .. } = &mut error {
                *hint = base.and_then(full_address);
            }
            error
        })?;
        let name = format!("{}:{}", service.provider, one_line(&model));
        let known = |base: &str| endpoint(base).is_ok_and(|known| known == url);
        let trusted = known(service.public) || of_user.is_some_and(known);
        let owned = service.key.and_then(|key| environment.key(key.variable));
        let key = owned.filter(|_| trusted);
        if let (None, None, Some(needed)) = (base, key, service.key) {
            return Err(ModelError::MissingKey {
                model: name,
                variable: needed.variable,
            });
        }
        let mut headers = common_headers(service);
        if let (Some(rule), Some(key)) = (service.key, key) {
            let mut value = HeaderValue::from_str(&format!("{}{}", rule.prefix, key.expose()))
                .map_err(|_| {
                    setting(format!(
                        "the key in {} has characters that no header can carry",
                        rule.variable
                    ))
                })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(rule.header), value);
        }
        let client = client(&url).map_err(|error| setting(format!("no TLS: {}", cause(error))))?;
        Ok(Self {
            form,
            service,
            name,
            client,
            server: shown(&url),
            url,
            headers,
            key_sent: key.is_some(),
            key_withheld: owned.is_some() && !trusted,
            secrets: environment.secrets(),
            max_output_tokens: config.max_output_tokens,
            temperature: config.temperature,
            timeout: config.timeout,
            backoff: Backoff::default(),
            model,
        })
    }

    async fn ask(&self, request: &Request<'_>) -> Result<Answer, ModelError> {
        let clock = Clock::start(request, self.timeout);
        let mut retries = 0;
        loop {
            let attempt = Try {
                http: self,
                request,
                tries: retries + 1,
            };
            let (error, wait) = match clock.within(attempt.reply()).await? {
                Ok(reply) => return self.answer(reply, &clock, request),
                Err(Failure::Lasting(error)) => return Err(error),
                Err(Failure::Passing(error, wait)) => (error, wait),
            };
            let wait = wait.unwrap_or_else(|| self.backoff.wait(retries));
            if retries >= request.limits.retries || wait >= clock.left() {
                return Err(error);
            }
            retries += 1;
            (request.retried)();
            (request.notify)(&format!(
                "{}: {}; retry {retries} of {} in {:.1} s",
                self.name,
                error.of_one_try(),
                request.limits.retries,
                wait.as_secs_f64()
            ));
            clock.within(tokio::time::sleep(wait)).await?;
        }
    }

    fn most_tokens(&self, request: &Request<'_>) -> u64 {
        self.max_output_tokens.min(request.output_tokens)
    }

    /// The request's JSON. The prompt's head is a part of its own, the same bytes for every hole, so that servers can
    /// cache it.
    fn body(&self, request: &Request<'_>) -> Value {
        let prompt = request.prompt;
        let (head, rest) = prompt
            .text
            .split_at_checked(prompt.head)
            .unwrap_or(("", &prompt.text));
        self.form.body(&Ask {
            model: &self.model,
            host: self.url.host_str().unwrap_or_default(),
            head,
            rest,
            most_tokens: self.most_tokens(request),
            temperature: self.temperature,
        })
    }

    fn answer(
        &self,
        reply: Reply,
        clock: &Clock,
        request: &Request<'_>,
    ) -> Result<Answer, ModelError> {
        let model = self.name.clone();
        if let Some(words) = reply.why_refused() {
            let message = self.clean(&words);
            return Err(ModelError::Refusal { model, message });
        }
        let stop_reason = reply.stop_reason.map(|reason| self.clean(&reason));
        let reason = format!(
            "{}: {}",
            self.service.stop_field,
            stop_reason.as_deref().unwrap_or("?")
        );
        match reply.end {
            Some(End::Length) => {
                let max_output_tokens = self.most_tokens(request);
                return Err(ModelError::CutByLength {
                    model,
                    max_output_tokens,
                    reason,
                });
            }
            Some(End::Window) => return Err(ModelError::WindowFull { model, reason }),
            Some(End::Complete) | None => {}
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
            stop_reason,
            elapsed: clock.elapsed(),
        })
    }

    fn clean(&self, text: &str) -> String {
        one_line(&self.secrets.mask(text))
    }
}

impl Model for Http {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(self.ask(request))
    }
}

fn common_headers(service: &Service) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/event-stream, application/x-ndjson, application/json"),
    );
    for (name, value) in service.headers {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    headers
}
