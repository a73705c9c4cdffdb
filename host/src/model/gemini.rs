//! Google's Gemini form, `generateContent`.

use reqwest::Url;
use serde_json::{Value, json};

use super::http::{Ask, End, Form, Key, Kind, Reply, Service, has_version, push};
use crate::environment;

/// The form.
pub(super) struct Gemini;

static SERVICE: Service = Service {
    provider: "gemini",
    public: "https://generativelanguage.googleapis.com",
    address: environment::GEMINI_BASE_URL,
    // Never as `?key=` in the address, which ends in logs.
    key: Some(Key {
        variable: environment::GEMINI_API_KEY,
        header: "x-goog-api-key",
        prefix: "",
    }),
    headers: &[],
    substance: "candidates",
    stop_field: "finishReason",
};

impl Form for Gemini {
    fn service(&self) -> &'static Service {
        &SERVICE
    }

    /// The version may stand in the base address. A name with a slash (`tunedModels/x`) says itself where it belongs.
    fn endpoint(&self, mut base: Url, model: &str) -> Url {
        if !has_version(&base) {
            push(&mut base, &["v1beta"]);
        }
        let method = format!("{model}:streamGenerateContent");
        let mut path: Vec<&str> = method.split('/').collect();
        if path.len() == 1 {
            path.insert(0, "models");
        }
        push(&mut base, &path);
        base.query_pairs_mut().append_pair("alt", "sse");
        base
    }

    fn body(&self, ask: &Ask<'_>) -> Value {
        let mut body = json!({
            "contents": [{"role": "user", "parts": [{"text": ask.rest}]}],
            "generationConfig": {"maxOutputTokens": ask.most_tokens},
        });
        if !ask.head.is_empty() {
            body["systemInstruction"] = json!({"parts": [{"text": ask.head}]});
        }
        if let Some(temperature) = ask.temperature {
            body["generationConfig"]["temperature"] = json!(temperature);
        }
        body
    }

    fn take(&self, reply: &mut Reply, value: &Value) -> Result<(), String> {
        count(reply, &value["usageMetadata"]);
        let feedback = &value["promptFeedback"];
        if let Some(reason) = feedback["blockReason"].as_str() {
            reply.begun = true;
            let words = match feedback["blockReasonMessage"].as_str() {
                Some(words) => format!("the prompt was blocked ({reason}): {words}"),
                None => format!("the prompt was blocked ({reason})"),
            };
            reply.refused(&words, reason);
        }
        for candidate in value["candidates"].as_array().into_iter().flatten() {
            reply.begun = true;
            // Only one answer was asked for.
            if candidate["index"].as_u64().unwrap_or(0) != 0 {
                continue;
            }
            let parts = candidate["content"]["parts"].as_array();
            for part in parts.into_iter().flatten() {
                // Thoughts are no part of the answer.
                if part["thought"] != true {
                    reply.text.push_str(part["text"].as_str().unwrap_or(""));
                }
            }
            let reason = candidate["finishReason"].as_str().unwrap_or("");
            let words = candidate["finishMessage"].as_str();
            stop(reply, reason, words.unwrap_or(""))?;
        }
        Ok(())
    }

    fn kind(&self, status: u16, error: &Value) -> Option<Kind> {
        let details = || error["details"].as_array().into_iter().flatten();
        let violations = details().flat_map(|detail| detail["violations"].as_array());
        let of_the_day = violations
            .flatten()
            .filter_map(|violation| violation["quotaId"].as_str())
            .any(|quota| quota.contains("PerDay"));
        if status == 429 && of_the_day {
            return Some(Kind::Quota);
        }
        // A wrong key is an invalid request here.
        let wrong_key = details().any(|detail| detail["reason"] == "API_KEY_INVALID");
        (status == 400 && wrong_key).then_some(Kind::Access)
    }
}

fn stop(reply: &mut Reply, reason: &str, words: &str) -> Result<(), String> {
    let (blank, words) = match words.trim() {
        "" => ("", ""),
        words => (": ", words),
    };
    match reason {
        "" | "FINISH_REASON_UNSPECIFIED" => {}
        "STOP" => reply.ended(End::Complete, reason),
        "MAX_TOKENS" => reply.ended(End::Length, reason),
        "SAFETY" | "RECITATION" | "LANGUAGE" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => {
            reply.refused(
                &format!("a filter stopped the answer ({reason}){blank}{words}"),
                reason,
            );
        }
        // Calls of tools that nobody offered, and whatever else ends an answer before its end.
        _ => return Err(format!("it ended with `{reason}`{blank}{words}")),
    }
    Ok(())
}

/// Each piece of a stream has the counts so far; those of the output come with its text.
fn count(reply: &mut Reply, usage: &Value) {
    reply.tokens_in = reply.tokens_in.max(usage["promptTokenCount"].as_u64());
    let parts = ["candidatesTokenCount", "thoughtsTokenCount"];
    let output = parts
        .iter()
        .filter_map(|field| usage[field].as_u64())
        .reduce(u64::saturating_add);
    reply.tokens_out = reply.tokens_out.max(output);
}
