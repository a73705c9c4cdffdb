//! Answers as each service writes them, so that one test can go through all.

use serde_json::{Value, json};

use super::server::{Step, response};
use super::*;
use crate::model::http::Form;
use crate::model::{anthropic, gemini, ollama, openai};
use crate::plan::manifest::ModelConfig;

pub(super) const SECRET: &str = "local-secret-0123456789";

/// A service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Dialect {
    OpenAi,
    Anthropic,
    Gemini,
    Ollama,
}

use Dialect::{Anthropic, Gemini, Ollama, OpenAi};

pub(super) const ALL: [Dialect; 4] = [OpenAi, Anthropic, Gemini, Ollama];

impl Dialect {
    pub(super) fn form(self) -> &'static dyn Form {
        match self {
            OpenAi => &openai::OpenAi,
            Anthropic => &anthropic::Anthropic,
            Gemini => &gemini::Gemini,
            Ollama => &ollama::Ollama,
        }
    }

    /// Name of the provider, of its address variable and of its key.
    pub(super) fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            OpenAi => ("openai", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
            Anthropic => ("anthropic", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
            Gemini => ("gemini", "GEMINI_BASE_URL", "GEMINI_API_KEY"),
            // It has none; the value must stay where it is all the same.
            Ollama => ("ollama", "OLLAMA_HOST", "GEMINI_API_KEY"),
        }
    }

    /// The model `small` at a server that the environment names.
    pub(super) fn at(self, base: &str) -> Http {
        self.with(base, |_| ())
    }

    pub(super) fn with(self, base: &str, change: impl FnOnce(&mut ModelConfig)) -> Http {
        let (provider, address, key) = self.names();
        let base = match self {
            OpenAi => base,
            _ => base.trim_end_matches("/v1"),
        };
        let environment = Environment::from_variables([(address, base), (key, SECRET)]);
        let mut config = parse_spec(&format!("{provider}:small")).unwrap();
        change(&mut config);
        impatient(Http::open(self.form(), &config, &environment).unwrap())
    }

    /// The word for an answer that is complete, and for one that was cut.
    pub(super) fn stops(self) -> (&'static str, &'static str) {
        match self {
            OpenAi => ("stop", "length"),
            Anthropic => ("end_turn", "max_tokens"),
            Gemini => ("STOP", "MAX_TOKENS"),
            Ollama => ("stop", "length"),
        }
    }

    /// An answer in one piece, of 12 tokens in and 3 out.
    pub(super) fn whole(self, text: &str, stop: &str) -> Value {
        match self {
            OpenAi => {
                json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": text, "refusal": null}, "finish_reason": stop}],
                "usage": {"prompt_tokens": 12, "completion_tokens": 3}})
            }
            Anthropic => {
                json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "small", "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "redacted_thinking", "data": "aGlk"}, {"type": "text", "text": text}],
                "stop_reason": stop, "stop_sequence": null,
                "usage": {"input_tokens": 2, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 6, "output_tokens": 3}})
            }
            Gemini => {
                json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "hm", "thought": true}, {"text": text, "thoughtSignature": "c2ln"}]},
                "finishReason": stop, "index": 0}],
                "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 1, "thoughtsTokenCount": 2, "totalTokenCount": 15}})
            }
            Ollama => {
                json!({"model": "small", "message": {"role": "assistant", "content": text, "thinking": "hm"}, "done": true, "done_reason": stop,
                "total_duration": 5, "prompt_eval_count": 12, "eval_count": 3})
            }
        }
    }

    /// What comes before the text.
    fn opening(self) -> Vec<Value> {
        let chunk =
            |delta: Value| json!({"type": "content_block_delta", "index": 0, "delta": delta});
        match self {
            OpenAi => vec![
                json!({"choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": null}]}),
            ],
            Anthropic => vec![
                json!({"type": "message_start", "message": {"type": "message", "content": [], "stop_reason": null,
                    "usage": {"input_tokens": 2, "cache_creation_input_tokens": 4, "cache_read_input_tokens": 6, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "h"}}),
                json!({"type": "ping"}),
                chunk(json!({"type": "thinking_delta", "thinking": "m"})),
                chunk(json!({"type": "signature_delta", "signature": "c2ln"})),
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "content_block_start", "index": 1, "content_block": {"type": "redacted_thinking", "data": "aGlk"}}),
                json!({"type": "content_block_stop", "index": 1}),
                json!({"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": ""}}),
            ],
            Gemini => vec![
                json!({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}]}, "index": 0}],
                "usageMetadata": {"promptTokenCount": 12, "thoughtsTokenCount": 2}}),
            ],
            Ollama => vec![
                json!({"message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": false}),
            ],
        }
    }

    /// A part of the text.
    pub(super) fn piece(self, text: &str) -> Value {
        match self {
            OpenAi => {
                json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
            }
            Anthropic => {
                json!({"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": text}})
            }
            Gemini => json!({"candidates": [{"content": {"parts": [{"text": text}]}, "index": 0}],
                "usageMetadata": {"promptTokenCount": 12, "thoughtsTokenCount": 2}}),
            Ollama => json!({"message": {"role": "assistant", "content": text}, "done": false}),
        }
    }

    fn closing(self, stop: &str) -> Vec<Value> {
        match self {
            OpenAi => vec![
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": null}),
                json!({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 3}}),
            ],
            Anthropic => vec![
                json!({"type": "content_block_stop", "index": 2}),
                json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 3}}),
                json!({"type": "message_stop"}),
            ],
            Gemini => vec![
                json!({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": stop, "index": 0}],
                    "usageMetadata": {"promptTokenCount": 12, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}}),
            ],
            Ollama => vec![
                json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": stop, "prompt_eval_count": 12, "eval_count": 3}),
            ],
        }
    }

    /// A whole stream.
    pub(super) fn stream(self, texts: &[&str], stop: &str) -> Vec<u8> {
        let mut values = self.opening();
        values.extend(texts.iter().map(|text| self.piece(text)));
        values.extend(self.closing(stop));
        let mut bytes = self.write(&values);
        if self == OpenAi {
            bytes.extend(b"data: [DONE]\n\n");
        }
        bytes
    }

    /// Values as a stream has them.
    pub(super) fn write(self, values: &[Value]) -> Vec<u8> {
        let line = |value: &Value| match self {
            Ollama => format!("{value}\n"),
            Anthropic => {
                let kind = value["type"].as_str().unwrap_or("error");
                format!("event: {kind}\ndata: {value}\n\n")
            }
            OpenAi | Gemini => format!("data: {value}\r\n\r\n"),
        };
        values.iter().map(line).collect::<String>().into_bytes()
    }

    pub(super) fn stream_head(self) -> Vec<u8> {
        let kind = match self {
            Ollama => "application/x-ndjson",
            _ => "text/event-stream; charset=utf-8",
        };
        format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n").into_bytes()
    }

    /// A stream in one write.
    pub(super) fn streamed(self, bytes: &[u8]) -> Vec<Step> {
        vec![Step::Send([&self.stream_head(), bytes].concat())]
    }

    /// An error as the service writes it; `name` is its word for what it is.
    pub(super) fn error(self, status: u16, name: &str, message: &str) -> Value {
        match self {
            OpenAi => json!({"error": {"message": message, "type": name, "code": null}}),
            Anthropic => {
                json!({"type": "error", "error": {"type": name, "message": message}, "request_id": "req_1"})
            }
            Gemini => json!({"error": {"code": status, "message": message, "status": name}}),
            Ollama => json!({ "error": message }),
        }
    }
}

/// A response of a status with a JSON body.
pub(super) fn status(status: u16, headers: &str, body: &Value) -> Vec<Step> {
    let headers = format!("Content-Type: application/json\r\n{headers}");
    vec![Step::Send(response(status, &headers, &body.to_string()))]
}
