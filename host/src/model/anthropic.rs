//! Anthropic's Messages form.

use reqwest::Url;
use serde_json::{Value, json};

use super::http::{Ask, End, Form, Key, Kind, Reply, Service, has_version, push};
use crate::environment;

/// The form.
pub(super) struct Anthropic;

static SERVICE: Service = Service {
    provider: "anthropic",
    public: "https://api.anthropic.com",
    address: environment::ANTHROPIC_BASE_URL,
    key: Some(Key {
        variable: environment::ANTHROPIC_API_KEY,
        header: "x-api-key",
        prefix: "",
    }),
    // The version of the form that is spoken here; services refuse requests that name none.
    headers: &[("anthropic-version", "2023-06-01")],
    substance: "content",
    stop_field: "stop_reason",
};

impl Form for Anthropic {
    fn service(&self) -> &'static Service {
        &SERVICE
    }

    /// Anthropic's own clients have no `/v1` in the base address; one that has it is meant the same.
    fn endpoint(&self, mut base: Url, _model: &str) -> Url {
        if !has_version(&base) {
            push(&mut base, &["v1"]);
        }
        push(&mut base, &["messages"]);
        base
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let mut body = json!({
            "model": ask.model,
            "max_tokens": ask.most_tokens,
            "messages": [{"role": "user", "content": ask.rest}],
            "stream": true,
        });
        if !ask.head.is_empty() {
            // The head is the same for every hole and attempt: kept by the service, it costs a tenth.
            body["system"] =
                json!([{"type": "text", "text": ask.head, "cache_control": {"type": "ephemeral"}}]);
        }
        if let Some(temperature) = ask.temperature {
            body["temperature"] = json!(temperature);
        }
        body
    }

    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), String> {
        match value["type"].as_str().unwrap_or("") {
            "message_start" => {
                reply.begun = true;
                count(reply, &value["message"]["usage"]);
            }
            "content_block_start" => add_text(reply, &value["content_block"], "text"),
            "content_block_delta" => add_text(reply, &value["delta"], "text_delta"),
            "message_delta" => {
                stop(reply, &value["delta"]);
                count(reply, &value["usage"]);
            }
            "message_stop" => {
                reply.end.get_or_insert(End::Complete);
                reply.last = true;
            }
            // Some servers leave the type out of an answer in one piece.
            "message" | "" if value["content"].is_array() => {
                reply.begun = true;
                for block in value["content"].as_array().into_iter().flatten() {
                    add_text(reply, block, "text");
                }
                stop(reply, value);
                count(reply, &value["usage"]);
            }
            // `ping`, ends of blocks, and what later versions add.
            _ => {}
        }
        Ok(())
    }

    fn status(&self, error: &Value) -> Option<u16> {
        Some(match error["type"].as_str()? {
            "invalid_request_error" => 400,
            "authentication_error" => 401,
            "billing_error" => 402,
            "permission_error" => 403,
            "not_found_error" => 404,
            "request_too_large" => 413,
            "rate_limit_error" => 429,
            "api_error" => 500,
            "timeout_error" => 504,
            "overloaded_error" => 529,
            _ => return None,
        })
    }

    fn kind(&self, status: u16, error: &Value) -> Option<Kind> {
        let message = error["message"].as_str().unwrap_or("");
        // An empty purse is an invalid request here.
        (status == 400 && message.contains("credit balance")).then_some(Kind::Payment)
    }
}

/// Blocks of other types are thoughts, which are no part of the answer.
fn add_text(reply: &mut Reply, block: &Value, wanted: &str) {
    if block["type"] == wanted {
        reply.text.push_str(block["text"].as_str().unwrap_or(""));
    }
}

fn stop(reply: &mut Reply, value: &Value) {
    match value["stop_reason"].as_str().unwrap_or("") {
        "" => {}
        reason @ "max_tokens" => reply.ended(End::Length, reason),
        reason @ "model_context_window_exceeded" => reply.ended(End::Window, reason),
        reason @ "refusal" => {
            let words = value["stop_details"]["explanation"].as_str();
            reply.refused(words.unwrap_or_default(), reason);
        }
        reason => reply.ended(End::Complete, reason),
    }
}

/// Counts grow while a stream comes; what was read from a cache was input too.
fn count(reply: &mut Reply, usage: &Value) {
    if let Some(plain) = usage["input_tokens"].as_u64() {
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
            .iter()
            .filter_map(|field| usage[field].as_u64())
            .fold(plain, u64::saturating_add);
        reply.tokens_in = reply.tokens_in.max(Some(cached));
    }
    reply.tokens_out = reply.tokens_out.max(usage["output_tokens"].as_u64());
}
