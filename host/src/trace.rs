//! The trace: one JSON object a line (CONTRACTS section 3).
//!
//! It is for people, for `jq`, and for whoever wants to know afterwards what a hole was told, wrote and did. Provider keys
//! never reach it: no event has a field for them. [`Trace`] writes one; [`Reader`] reads one back, line by line, for
//! [`Tree`], which shows it, and [`Counter`], which counts it. No run depends on what a trace says.
#![expect(
    clippy::disallowed_methods,
    reason = "writes the trace file that the user named"
)]

pub mod figures;
mod read;
mod stats;
#[cfg(test)]
mod tests;
mod tree;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::{Map, Value as Json, json};

use crate::diagnostic::escape_json;
use crate::labels::Labels;

pub use read::{Event, MAX_LINE, ReadError, Reader};
pub use stats::{Calls, Counter, Generations, Given, Stats, Tokens};
pub use tree::{Tone, Tree};

/// Version of the trace's form, in every event as `v`.
pub const VERSION: u32 = 1;

/// Longest text or value that stands in a trace whole, in bytes; a longer one is cut, with hash and size.
pub const MAX_VALUE: usize = 64 * 1024;

/// What is kept of a longer one, in bytes.
const KEPT: usize = MAX_VALUE / 16;

/// Where in the session an event belongs.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The hole's name.
    pub hole: &'a str,
    /// Place in the tree: `audit`, `audit/0`.
    pub path: &'a str,
    /// Attempt from 1, from the prompt on.
    pub attempt: Option<u32>,
}

/// Writes events. A trace without a file takes them and does nothing.
#[derive(Default)]
pub struct Trace {
    sink: Option<Mutex<Sink>>,
    /// Labels of the values that are written as they are.
    shown: Labels,
    /// Key of the hashes of masked values: whoever reads the trace can tell which are the same, and cannot try what they
    /// are. `None` where the system gives no random numbers; then a mask has no hash.
    key: Option<[u8; blake3::KEY_LEN]>,
}

struct Sink {
    out: Box<dyn Write + Send>,
    started: Instant,
    seq: u64,
    /// The first write that failed; later ones are not tried.
    failed: Option<io::Error>,
}

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Trace")
            .field("writes", &self.sink.is_some())
            .finish()
    }
}

impl Trace {
    /// A trace into a new file; an old one of that name is replaced.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self::to(Box::new(BufWriter::new(File::create(path)?))))
    }

    /// A trace into any writer.
    pub fn to(out: Box<dyn Write + Send>) -> Self {
        Self {
            sink: Some(Mutex::new(Sink {
                out,
                started: Instant::now(),
                seq: 0,
                failed: None,
            })),
            shown: Labels::NONE,
            key: random_key(),
        }
    }

    /// Writes values with these labels as they are. Others are masked: their hash and size stand for them.
    #[must_use]
    pub fn showing(mut self, labels: Labels) -> Self {
        self.shown = labels;
        self
    }

    /// A value as it stands in this trace: with its labels, masked when not all of them are shown, cut when it is long.
    pub fn value(&self, json: Json, labels: Labels) -> Json {
        match self.shown.covers(labels) {
            true => value(json, labels),
            false => self.mask(&json, labels),
        }
    }

    /// A text as it stands in this trace: itself, cut when it is long, masked as a value is.
    pub fn text(&self, content: &str, labels: Labels) -> Json {
        match self.shown.covers(labels) {
            true => text(content),
            false => self.mask(&json!(content), labels),
        }
    }

    /// What stands for a value that must not be read here.
    fn mask(&self, json: &Json, labels: Labels) -> Json {
        let text = json.to_string();
        // One that was cut already has the size of the whole.
        let size = match is_cut(json) {
            true => json["size"].clone(),
            false => json!(text.len()),
        };
        let mut mask = json!({ "masked": true, "size": size, "labels": labels });
        if let Some(key) = &self.key {
            let hash = blake3::keyed_hash(key, text.as_bytes());
            mask["hash"] = json!(format!("blake3-keyed:{}", hash.to_hex()));
        }
        if is_err(json) {
            mask["err"] = json!(true);
        }
        mask
    }

    /// Whether anything is written, so that callers need not build events in vain.
    pub fn enabled(&self) -> bool {
        self.sink.is_some()
    }

    /// Writes one event. `fields` must be a JSON object; `ms` is the time since the session's start in every event, so
    /// durations are called `millis`. Each line is flushed: what happened before a crash stands in the file.
    pub fn emit(&self, event: &str, at: Option<At<'_>>, fields: Json) {
        let Some(sink) = &self.sink else { return };
        let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.failed.is_some() {
            return;
        }
        let mut line = Map::new();
        line.insert("v".into(), json!(VERSION));
        line.insert("seq".into(), json!(sink.seq));
        line.insert(
            "ms".into(),
            json!(sink.started.elapsed().as_millis() as u64),
        );
        line.insert("event".into(), json!(event));
        if let Some(at) = at {
            line.insert("hole".into(), json!(at.hole));
            line.insert("path".into(), json!(at.path));
            if let Some(attempt) = at.attempt {
                line.insert("attempt".into(), json!(attempt));
            }
        }
        if let Json::Object(fields) = fields {
            // What every event has is the same in every event, whatever an emitter calls its own fields.
            for (name, value) in fields {
                line.entry(name).or_insert(value);
            }
        }
        sink.seq += 1;
        let text = Json::Object(line).to_string();
        let text = escape_json(&text) + "\n";
        if let Err(error) = sink
            .out
            .write_all(text.as_bytes())
            .and_then(|()| sink.out.flush())
        {
            sink.failed = Some(error);
        }
    }

    /// The first write that failed, once: for a warning at the end.
    pub fn take_failure(&self) -> Option<io::Error> {
        let sink = self.sink.as_ref()?;
        sink.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .failed
            .take()
    }
}

/// A value with its labels, cut when it is long. One that [`text`] or [`bytes`] has cut already only gets its labels.
fn value(mut json: Json, labels: Labels) -> Json {
    if is_cut(&json) {
        json["labels"] = json!(labels);
        return json;
    }
    let text = json.to_string();
    if text.len() <= MAX_VALUE {
        return json!({ "value": json, "labels": labels });
    }
    json!({ "cut": cut(&text), "size": text.len(), "hash": hash(text.as_bytes()), "labels": labels })
}

/// A key that nobody knows.
fn random_key() -> Option<[u8; blake3::KEY_LEN]> {
    let mut key = [0; blake3::KEY_LEN];
    ChaCha20Rng::try_from_os_rng().ok()?.fill_bytes(&mut key);
    Some(key)
}

/// A text as it stands in a trace: itself, or its start with size and hash when it is long.
pub fn text(text: &str) -> Json {
    if text.len() <= MAX_VALUE {
        return json!(text);
    }
    json!({ "cut": cut(text), "size": text.len(), "hash": hash(text.as_bytes()) })
}

/// Bytes as they stand in a trace: an array of numbers, or its start with size and hash when there are many.
pub fn bytes(bytes: &[u8]) -> Json {
    if bytes.len() <= MAX_VALUE {
        return json!(bytes);
    }
    json!({ "cut": bytes[..KEPT], "size": bytes.len(), "hash": hash(bytes) })
}

/// Whether a value is the error of a WIT `result`. That much of it a mask shows, since it is what figures count.
fn is_err(json: &Json) -> bool {
    json.as_object()
        .is_some_and(|fields| fields.len() == 1 && fields.contains_key("err"))
}

/// Whether a value has the form of one that was cut.
fn is_cut(json: &Json) -> bool {
    let Some(fields) = json.as_object() else {
        return false;
    };
    fields.len() == 3
        && fields.contains_key("cut")
        && fields.get("size").is_some_and(Json::is_u64)
        && fields
            .get("hash")
            .and_then(Json::as_str)
            .is_some_and(|hash| hash.starts_with("blake3:"))
}

/// `blake3:…` of some bytes, as hashes are written everywhere.
pub fn hash(bytes: &[u8]) -> String {
    format!("blake3:{}", blake3::hash(bytes).to_hex())
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(KEPT)]
}
