//! Events as they are written.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Value as Json, json};

use crate::labels::Labels;
use crate::trace::{At, KEPT, MAX_VALUE, Trace, bytes, text, value};

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn events_are_lines_in_order() {
    let out = Shared::default();
    let trace = Trace::to(Box::new(out.clone()));
    trace.emit("session-start", None, json!({ "plan": "p" }));
    let at = At {
        hole: "audit",
        path: "audit",
        attempt: Some(2),
    };
    trace.emit("log", Some(at), json!({ "text": "a\nb" }));
    let text = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<Json> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["seq"], 0);
    assert_eq!(lines[1]["seq"], 1);
    assert_eq!(lines[1]["attempt"], 2);
    assert_eq!(lines[1]["text"], "a\nb");
}

#[test]
fn no_field_of_an_event_replaces_what_every_event_has() {
    let out = Shared::default();
    let trace = Trace::to(Box::new(out.clone()));
    trace.emit("call", None, json!({ "seq": 7, "ms": "x", "millis": 3 }));
    let text = String::from_utf8(out.0.lock().unwrap().clone()).unwrap();
    let line: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(line["seq"], 0);
    assert!(line["ms"].is_u64());
    assert_eq!(line["millis"], 3);
}

#[test]
fn what_is_cut_is_cut_once() {
    let long = "x\n".repeat(MAX_VALUE);
    let json = value(text(&long), Labels::NONE);
    assert_eq!(json["cut"].as_str().unwrap().len(), KEPT);
    assert_eq!(json["size"], long.len());
    assert_eq!(json["labels"], json!([]));
    assert!(json.get("value").is_none());
    let json = value(bytes(long.as_bytes()), Labels::NONE);
    assert_eq!(json["cut"].as_array().unwrap().len(), KEPT);
    assert_eq!(json["size"], long.len());
    let nested = value(json!({ "ok": text(&long) }), Labels::NONE);
    assert_eq!(nested["value"]["ok"]["size"], long.len());
}

#[test]
fn long_values_are_cut_with_hash_and_size() {
    let long = "é".repeat(MAX_VALUE);
    let json = value(json!(long), Labels::NONE);
    assert!(json.to_string().len() < MAX_VALUE);
    assert_eq!(json["size"], long.len() + 2);
    assert!(json["hash"].as_str().unwrap().starts_with("blake3:"));
    assert_eq!(text("short"), json!("short"));
}

struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::from(io::ErrorKind::StorageFull))
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_kept_for_a_warning() {
    let trace = Trace::to(Box::new(Full));
    trace.emit("log", None, json!({}));
    trace.emit("log", None, json!({}));
    assert_eq!(
        trace.take_failure().unwrap().kind(),
        io::ErrorKind::StorageFull
    );
    assert!(trace.take_failure().is_none());
}
