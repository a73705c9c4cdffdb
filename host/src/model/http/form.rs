//! What a provider has to say to be one.

use reqwest::Url;
use serde_json::Value;

use super::{Kind, Reply, base};

/// How one provider writes requests and answers. Where the bytes go, how often, and how many of them is none of its
/// business.
pub(in crate::model) trait Form: Sync {
    /// Names and addresses.
    fn service(&self) -> &'static Service;

    /// Reads a base address. `Err` is what is wrong, without the address, which may hold a password.
    fn base(&self, text: &str) -> Result<Url, String> {
        base(text)
    }

    /// Where requests for a model go.
    fn endpoint(&self, base: Url, model: &str) -> Url;

    /// The request's JSON. It asks for a stream; the answer may come in one piece all the same.
    fn body(&self, ask: &Ask<'_>) -> Value;

    /// Adds a piece of a stream, or a whole answer. Fields that are missing, null or unknown are passed over: servers
    /// differ in them, and what matters is text, reason and count. `Err` says why this is no answer.
    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), String>;

    /// The HTTP status that an error has which stands inside an answer that began as a success.
    fn status(&self, error: &Value) -> Option<u16> {
        let code = error["code"].as_u64()?;
        u16::try_from(code).ok()
    }

    /// What an error is, where the status (200: none is known) does not say it.
    fn kind(&self, _status: u16, _error: &Value) -> Option<Kind> {
        None
    }
}

/// Names and addresses of a provider.
pub(in crate::model) struct Service {
    /// Its name in manifests.
    pub(in crate::model) provider: &'static str,
    /// Its address unless someone says another one.
    pub(in crate::model) public: &'static str,
    /// The variable that names another address.
    pub(in crate::model) address: &'static str,
    /// How its key travels, if it has one.
    pub(in crate::model) key: Option<Key>,
    /// Headers of every request.
    pub(in crate::model) headers: &'static [(&'static str, &'static str)],
    /// The field that every answer has.
    pub(in crate::model) substance: &'static str,
    /// The field that says why an answer ended.
    pub(in crate::model) stop_field: &'static str,
}

/// How a key travels.
#[derive(Clone, Copy)]
pub(in crate::model) struct Key {
    /// The variable that holds it.
    pub(in crate::model) variable: &'static str,
    /// The header, in lower case.
    pub(in crate::model) header: &'static str,
    /// What stands before it in the header.
    pub(in crate::model) prefix: &'static str,
}

/// What is asked.
pub(in crate::model) struct Ask<'a> {
    /// The model's name at the server.
    pub(in crate::model) model: &'a str,
    /// The server's host name.
    pub(in crate::model) host: &'a str,
    /// The part of the prompt that is the same for every hole; may be empty.
    pub(in crate::model) head: &'a str,
    /// The rest of the prompt.
    pub(in crate::model) rest: &'a str,
    /// The most tokens that the answer may have.
    pub(in crate::model) most_tokens: u64,
    /// `temperature`, if the manifest has one.
    pub(in crate::model) temperature: Option<f64>,
}
