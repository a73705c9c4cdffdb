//! What each service sends, as it goes over the wire.

use serde_json::{Value, json};

use crate::server::Reply;

/// A service.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Dialect {
    OpenAi,
    Anthropic,
    Gemini,
    Ollama,
}

use Dialect::{Anthropic, Gemini, Ollama, OpenAi};

impl Dialect {
    /// Name of the provider and of the variables with its address and its key.
    pub(crate) fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            OpenAi => ("openai", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
            Anthropic => ("anthropic", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
            Gemini => ("gemini", "GEMINI_BASE_URL", "GEMINI_API_KEY"),
            // It has no key; whichever there is must not be sent.
            Ollama => ("ollama", "OLLAMA_HOST", "GEMINI_API_KEY"),
        }
    }

    /// The address that the variable names.
    pub(crate) fn address(self, base: &str) -> &str {
        match self {
            OpenAi => base,
            _ => base.trim_end_matches("/v1"),
        }
    }

    /// The words for an answer that is complete, and for one that was cut.
    pub(crate) fn stops(self) -> (&'static str, &'static str) {
        match self {
            OpenAi | Ollama => ("stop", "length"),
            Anthropic => ("end_turn", "max_tokens"),
            Gemini => ("STOP", "MAX_TOKENS"),
        }
    }

    /// An answer in one piece, with a thought, of 1000 tokens in and 200 out.
    pub(crate) fn whole(self, text: &str, stop: &str) -> Reply {
        let body = match self {
            OpenAi => {
                json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": text, "reasoning_content": "thinking"}, "finish_reason": stop}],
                "usage": {"prompt_tokens": 1000, "completion_tokens": 200}})
            }
            Anthropic => json!({"id": "msg_1", "type": "message", "role": "assistant",
                "content": [{"type": "thinking", "thinking": "thinking", "signature": "c2ln"}, {"type": "text", "text": text}],
                "stop_reason": stop, "usage": {"input_tokens": 400, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 600, "output_tokens": 200}}),
            Gemini => {
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "thinking", "thought": true}, {"text": text}]}, "finishReason": stop}],
                "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 150, "thoughtsTokenCount": 50}})
            }
            Ollama => {
                json!({"model": "small", "message": {"role": "assistant", "content": text, "thinking": "thinking"}, "done": true, "done_reason": stop,
                "prompt_eval_count": 1000, "eval_count": 200})
            }
        };
        Reply::Whole(200, body)
    }

    /// The same as a stream.
    pub(crate) fn streamed(self, text: &str, stop: &str) -> Reply {
        let characters: Vec<char> = text.chars().collect();
        let pieces = characters
            .chunks(7)
            .map(|piece| self.piece(&piece.iter().collect::<String>()));
        let block =
            |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
        let (before, after) = match self {
            OpenAi => (
                vec![],
                vec![
                    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]}),
                    json!({"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 200}}),
                ],
            ),
            Anthropic => (
                vec![
                    json!({"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 400, "cache_read_input_tokens": 600, "output_tokens": 1}}}),
                    json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
                    block(json!({"type": "thinking_delta", "thinking": "thinking"})),
                    json!({"type": "content_block_stop", "index": 0}),
                    json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
                ],
                vec![
                    json!({"type": "content_block_stop", "index": 1}),
                    json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 200}}),
                    json!({"type": "message_stop"}),
                ],
            ),
            Gemini => (
                vec![
                    json!({"candidates": [{"content": {"parts": [{"text": "thinking", "thought": true}]}}], "usageMetadata": {"promptTokenCount": 1000}}),
                ],
                vec![
                    json!({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": stop}],
                    "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 150, "thoughtsTokenCount": 50}}),
                ],
            ),
            Ollama => (
                vec![
                    json!({"message": {"role": "assistant", "content": "", "thinking": "thinking"}, "done": false}),
                ],
                vec![
                    json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": stop, "prompt_eval_count": 1000, "eval_count": 200}),
                ],
            ),
        };
        let values: Vec<Value> = before.into_iter().chain(pieces).chain(after).collect();
        self.stream(&values)
    }

    /// A part of an answer's text.
    pub(crate) fn piece(self, text: &str) -> Value {
        match self {
            OpenAi => json!({"choices": [{"index": 0, "delta": {"content": text}}]}),
            Anthropic => {
                json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": text}})
            }
            Gemini => json!({"candidates": [{"content": {"parts": [{"text": text}]}}]}),
            Ollama => json!({"message": {"role": "assistant", "content": text}, "done": false}),
        }
    }

    /// A stream of these values, which ends with the connection.
    pub(crate) fn stream(self, values: &[Value]) -> Reply {
        let kind = if self == Ollama {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        let mut response =
            format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
        for value in values {
            response += &match self {
                Ollama => format!("{value}\n"),
                Anthropic => format!(
                    "event: {}\ndata: {value}\n\n",
                    value["type"].as_str().unwrap_or("error")
                ),
                OpenAi | Gemini => format!("data: {value}\n\n"),
            };
        }
        Reply::Raw(response)
    }

    /// An error's body; `name` is the service's word for it.
    pub(crate) fn error(self, status: u16, name: &str, message: &str) -> Value {
        match self {
            OpenAi => json!({"error": {"message": message, "type": name}}),
            Anthropic => json!({"type": "error", "error": {"type": name, "message": message}}),
            Gemini => json!({"error": {"code": status, "message": message, "status": name}}),
            Ollama => json!({ "error": message }),
        }
    }
}

/// A response with a header of its own.
pub(crate) fn with_header(status: u16, header: &str, body: &Value) -> Reply {
    let body = body.to_string();
    Reply::Raw(format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{header}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    ))
}
