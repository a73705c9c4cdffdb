//! Ollama's own form, `/api/chat`: a line of JSON for each piece.

use std::net::Ipv6Addr;

use reqwest::Url;
use serde_json::{Value, json};

use super::http::{Ask, End, Form, Kind, Reply, Service, base, push};
use crate::environment;

/// The form.
pub(super) struct Ollama;

static SERVICE: Service = Service {
    provider: "ollama",
    public: "http://127.0.0.1:11434",
    address: environment::OLLAMA_HOST,
    key: None,
    headers: &[],
    substance: "message",
    stop_field: "done_reason",
};

/// Port of an address that names neither port nor scheme.
const PORT: u16 = 11434;

/// The context is asked for in steps of this many tokens: a model is loaded anew for each size.
const CONTEXT_STEP: u64 = 8192;

impl Form for Ollama {
    fn service(&self) -> &'static Service {
        &SERVICE
    }

    fn base(&self, text: &str) -> Result<Url, String> {
        host(text)
    }

    fn endpoint(&self, mut base: Url, _model: &str) -> Url {
        push(&mut base, &["api", "chat"]);
        base
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let mut messages = Vec::new();
        if !ask.head.is_empty() {
            messages.push(json!({"role": "system", "content": ask.head}));
        }
        messages.push(json!({"role": "user", "content": ask.rest}));
        let mut options = json!({
            "num_predict": ask.most_tokens,
            "num_ctx": context(ask),
        });
        if let Some(temperature) = ask.temperature {
            options["temperature"] = json!(temperature);
        }
        json!({"model": ask.model, "messages": messages, "stream": true, "options": options})
    }

    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), String> {
        let message = &value["message"];
        reply.begun |= message.is_object();
        // What a model thinks stands in a field of its own, `thinking`.
        reply
            .text
            .push_str(message["content"].as_str().unwrap_or(""));
        reply.tokens_in = value["prompt_eval_count"].as_u64().or(reply.tokens_in);
        reply.tokens_out = value["eval_count"].as_u64().or(reply.tokens_out);
        if value["done"] == true {
            match value["done_reason"].as_str() {
                Some(reason @ "length") => reply.ended(End::Length, reason),
                Some(reason) => reply.ended(End::Complete, reason),
                None => reply.end = Some(End::Complete),
            }
            reply.last = true;
        }
        Ok(())
    }

    fn kind(&self, status: u16, error: &Value) -> Option<Kind> {
        let text = error.as_str().unwrap_or("");
        (status < 300 && text.contains("not found")).then_some(Kind::Missing)
    }
}

/// An address as `OLLAMA_HOST` has it: a host, a port behind a colon, both, or a whole URL; quotes around it are a
/// shell's. An address to listen on (`0.0.0.0`) is this machine for whoever asks.
fn host(text: &str) -> Result<Url, String> {
    let text = text.trim().trim_matches(['"', '\'']).trim();
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let authority = match authority {
        "" => "127.0.0.1".to_owned(),
        bare if bare.parse::<Ipv6Addr>().is_ok() => format!("[{bare}]"),
        port if port.starts_with(':') => format!("127.0.0.1{port}"),
        named => named.to_owned(),
    };
    let has_port = authority
        .rsplit_once(':')
        .is_some_and(|(_, port)| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()));
    let known = if scheme.is_empty() { "http" } else { scheme };
    let mut url = base(&format!("{known}://{authority}/{path}"))?;
    if scheme.is_empty() && !has_port {
        let _ = url.set_port(Some(PORT));
    }
    let this_machine = match url.host_str() {
        Some("0.0.0.0") => Some("127.0.0.1"),
        Some("[::]") => Some("[::1]"),
        _ => None,
    };
    if let Some(host) = this_machine {
        let _ = url.set_host(Some(host));
    }
    Ok(url)
}

/// Tokens that prompt and answer need. Without this number the server takes a small default and cuts the prompt's
/// beginning off without a word.
fn context(ask: &Ask<'_>) -> u64 {
    // A token has about four bytes of English or code; three is on the safe side.
    let prompt = (ask.head.len() + ask.rest.len()) as u64 / 3;
    prompt
        .saturating_add(ask.most_tokens.min(u64::from(u32::MAX)))
        .div_ceil(CONTEXT_STEP)
        .saturating_mul(CONTEXT_STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_in_every_spelling() {
        for (text, url) in [
            ("", "http://127.0.0.1:11434/"),
            ("1.2.3.4", "http://1.2.3.4:11434/"),
            (":1234", "http://127.0.0.1:1234/"),
            ("box", "http://box:11434/"),
            ("box:80", "http://box/"),
            ("box:1234/", "http://box:1234/"),
            ("0.0.0.0", "http://127.0.0.1:11434/"),
            ("0.0.0.0:1234", "http://127.0.0.1:1234/"),
            ("[::]:1", "http://[::1]:1/"),
            ("::1", "http://[::1]:11434/"),
            ("[::1]", "http://[::1]:11434/"),
            ("[::1]:1337", "http://[::1]:1337/"),
            (" \" 1.2.3.4 \" ", "http://1.2.3.4:11434/"),
            ("'box'", "http://box:11434/"),
            ("http://box", "http://box/"),
            ("https://box", "https://box/"),
            ("https://box:4321", "https://box:4321/"),
            ("https://example.org/ollama", "https://example.org/ollama"),
            ("http://", "http://127.0.0.1/"),
            ("user:word@box", "http://user:word@box:11434/"),
            ("box/ollama", "http://box:11434/ollama"),
        ] {
            assert_eq!(host(text).unwrap().as_str(), url, "{text}");
        }
    }

    #[test]
    fn hosts_that_are_none() {
        for text in ["box:66000", "box:x", "ftp://box", ":-1", "a b", "[::1"] {
            assert!(host(text).is_err(), "{text}");
        }
        assert!(!host("u:secret@x y").unwrap_err().contains("secret"));
    }
}
