//! What a server's JSON adds up to: one object, or a stream of pieces.

use serde_json::Value;

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Reply {
    /// The text.
    pub(super) text: String,
    /// Words of a refusal.
    pub(super) refusal: String,
    /// `finish_reason`.
    pub(super) finish: Option<String>,
    /// `usage.prompt_tokens`.
    pub(super) tokens_in: Option<u64>,
    /// `usage.completion_tokens`.
    pub(super) tokens_out: Option<u64>,
}

impl Reply {
    /// Whether the model said that it has ended.
    pub(super) fn finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Adds a chunk (`delta`) or a whole answer (`message`). Fields that are missing, null or unknown are passed over:
    /// servers differ in them, and what matters is text, reason and count. `Err` says what is no chunk at all.
    pub(super) fn take(&mut self, value: &Value) -> Result<(), String> {
        if !value.is_object() {
            return Err(format!("it is no object: {value}"));
        }
        if let Some(count) = value["usage"]["prompt_tokens"].as_u64() {
            self.tokens_in = Some(count);
        }
        if let Some(count) = value["usage"]["completion_tokens"].as_u64() {
            self.tokens_out = Some(count);
        }
        for choice in value["choices"].as_array().into_iter().flatten() {
            // Only one answer was asked for.
            if choice["index"].as_u64().unwrap_or(0) != 0 {
                continue;
            }
            for part in [&choice["delta"], &choice["message"]] {
                self.add_content(&part["content"]);
                self.refusal
                    .push_str(part["refusal"].as_str().unwrap_or(""));
            }
            if let Some(reason) = choice["finish_reason"]
                .as_str()
                .filter(|reason| !reason.is_empty())
            {
                self.finish = Some(reason.to_owned());
            }
        }
        Ok(())
    }

    fn add_content(&mut self, content: &Value) {
        match content {
            Value::String(text) => self.text.push_str(text),
            // The form with typed parts.
            Value::Array(parts) => {
                for part in parts {
                    self.text.push_str(part["text"].as_str().unwrap_or(""));
                    self.refusal
                        .push_str(part["refusal"].as_str().unwrap_or(""));
                }
            }
            _ => {}
        }
    }
}
