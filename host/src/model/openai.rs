//! OpenAI's chat-completions form, which many servers speak.

use reqwest::Url;
use serde_json::{Value, json};

use super::http::{Ask, End, Form, Key, Kind, Reply, Service, push};
use crate::environment;

/// The form.
pub(super) struct OpenAi;

static SERVICE: Service = Service {
    provider: "openai",
    public: "https://api.openai.com/v1",
    address: environment::OPENAI_BASE_URL,
    key: Some(Key {
        variable: environment::OPENAI_API_KEY,
        header: "authorization",
        prefix: "Bearer ",
    }),
    headers: &[],
    substance: "choices",
    stop_field: "finish_reason",
};

impl Form for OpenAi {
    fn service(&self) -> &'static Service {
        &SERVICE
    }

    /// The base address includes the `/v1`, as OpenAI's own clients have it.
    fn endpoint(&self, mut base: Url, _model: &str) -> Url {
        push(&mut base, &["chat", "completions"]);
        base
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let mut messages = Vec::new();
        if !ask.head.is_empty() {
            messages.push(json!({"role": "system", "content": ask.head}));
        }
        messages.push(json!({"role": "user", "content": ask.rest}));
        // The public service's newer models refuse the old name, most other servers know only that one.
        let limit = if ask.host == "api.openai.com" {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        let mut body = json!({
            "model": ask.model,
            "messages": messages,
            "stream": true,
            "stream_options": {"include_usage": true},
            (limit): ask.most_tokens,
        });
        if let Some(temperature) = ask.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), String> {
        let usage = &value["usage"];
        reply.tokens_in = usage["prompt_tokens"].as_u64().or(reply.tokens_in);
        reply.tokens_out = usage["completion_tokens"].as_u64().or(reply.tokens_out);
        for choice in value["choices"].as_array().into_iter().flatten() {
            reply.begun = true;
            // Only one answer was asked for.
            if choice["index"].as_u64().unwrap_or(0) != 0 {
                continue;
            }
            for part in [&choice["delta"], &choice["message"]] {
                add_content(reply, &part["content"]);
                let refusal = part["refusal"].as_str().unwrap_or("");
                reply.refusal.push_str(refusal);
            }
            match choice["finish_reason"].as_str().unwrap_or("") {
                "" => {}
                reason @ "length" => reply.ended(End::Length, reason),
                reason @ "content_filter" => {
                    reply.refused("a content filter stopped the answer", reason);
                }
                reason => reply.ended(End::Complete, reason),
            }
        }
        Ok(())
    }

    fn kind(&self, status: u16, error: &Value) -> Option<Kind> {
        let named = |part: &str| {
            [&error["code"], &error["type"]]
                .iter()
                .any(|name| name.as_str().is_some_and(|name| name.contains(part)))
        };
        let begun = status < 300;
        // Servers say 429 for an empty purse too, and no wait fills it.
        if (status == 429 || begun) && named("insufficient_quota") {
            Some(Kind::Payment)
        } else if begun && named("rate_limit") {
            Some(Kind::Rate)
        } else if begun && named("invalid") {
            Some(Kind::Request)
        } else {
            None
        }
    }
}

fn add_content(reply: &mut Reply, content: &Value) {
    match content {
        Value::String(text) => reply.text.push_str(text),
        // The form with typed parts.
        Value::Array(parts) => {
            for part in parts {
                reply.text.push_str(part["text"].as_str().unwrap_or(""));
                let refusal = part["refusal"].as_str().unwrap_or("");
                reply.refusal.push_str(refusal);
            }
        }
        _ => {}
    }
}
