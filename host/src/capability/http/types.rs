//! The types of `lacuna:http/http`, as the engine copies them.

use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::capability::call::Crossing;
use crate::trace;

/// Name and value.
type Header = (String, String);

/// `request`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Request {
    /// As the guest wrote it.
    pub(crate) method: String,
    /// As the guest wrote it.
    pub(crate) url: String,
    /// In the guest's order.
    pub(crate) headers: Vec<Header>,
    /// Empty for none.
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// `GET` without headers.
    pub(crate) fn get(url: String) -> Self {
        Self {
            method: "GET".to_owned(),
            url,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }
}

impl Crossing for Request {
    fn bytes(&self) -> u64 {
        let plain = self.method.len() + self.url.len() + self.body.len();
        plain as u64 + self.headers.bytes()
    }

    fn report(&self) -> Json {
        json!({
            "method": trace::text(&self.method),
            "url": trace::text(&self.url),
            "headers": self.headers.report(),
            "body": trace::bytes(&self.body),
        })
    }
}

/// `response`. Secrets are masked before it is made.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Response {
    /// Of three digits.
    pub(crate) status: u16,
    /// Names in lower case; a value's bytes that are no UTF-8 stand as U+FFFD.
    pub(crate) headers: Vec<Header>,
    /// Decompressed.
    pub(crate) body: Vec<u8>,
}

impl Crossing for Response {
    fn bytes(&self) -> u64 {
        self.body.len() as u64 + self.headers.bytes()
    }

    fn report(&self) -> Json {
        json!({
            "status": self.status,
            "headers": self.headers.report(),
            "body": trace::bytes(&self.body),
        })
    }
}

/// `error`; http.wit says what each case means.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum HttpError {
    #[component(name = "not-granted")]
    NotGranted(String),
    #[component(name = "address-refused")]
    AddressRefused(String),
    #[component(name = "redirect-refused")]
    RedirectRefused(String),
    #[component(name = "invalid-url")]
    InvalidUrl(String),
    #[component(name = "forbidden-header")]
    ForbiddenHeader(String),
    #[component(name = "status")]
    Status(u16),
    #[component(name = "not-text")]
    NotText(String),
    #[component(name = "too-large")]
    TooLarge(String),
    #[component(name = "timeout")]
    Timeout(String),
    #[component(name = "dns")]
    Dns(String),
    #[component(name = "connection")]
    Connection(String),
    #[component(name = "tls")]
    Tls(String),
    #[component(name = "protocol")]
    Protocol(String),
}

impl HttpError {
    /// The case's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::NotGranted(_) => "not-granted",
            Self::AddressRefused(_) => "address-refused",
            Self::RedirectRefused(_) => "redirect-refused",
            Self::InvalidUrl(_) => "invalid-url",
            Self::ForbiddenHeader(_) => "forbidden-header",
            Self::Status(_) => "status",
            Self::NotText(_) => "not-text",
            Self::TooLarge(_) => "too-large",
            Self::Timeout(_) => "timeout",
            Self::Dns(_) => "dns",
            Self::Connection(_) => "connection",
            Self::Tls(_) => "tls",
            Self::Protocol(_) => "protocol",
        }
    }

    /// What it says.
    pub(crate) fn text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Status(_) => None,
            Self::NotGranted(text)
            | Self::AddressRefused(text)
            | Self::RedirectRefused(text)
            | Self::InvalidUrl(text)
            | Self::ForbiddenHeader(text)
            | Self::NotText(text)
            | Self::TooLarge(text)
            | Self::Timeout(text)
            | Self::Dns(text)
            | Self::Connection(text)
            | Self::Tls(text)
            | Self::Protocol(text) => Some(text),
        }
    }
}

impl Crossing for HttpError {
    fn bytes(&self) -> u64 {
        let text = self.clone().text_mut().map_or(0, |text| text.len());
        (text + size_of::<Self>()) as u64
    }

    fn report(&self) -> Json {
        let value = match (self.clone().text_mut(), self) {
            (Some(text), _) => trace::text(text),
            (None, Self::Status(status)) => json!(status),
            (None, _) => Json::Null,
        };
        json!({ (self.name()): value })
    }
}
