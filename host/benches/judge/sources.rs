//! What is compiled: one hole, one snippet of 20 lines, the same code as a plain crate.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) const PLAN: &str = "package bench:words@0.1.0;

interface types {
  record finding { word: string, count: u32, share: string }
}

/// The words of a log, the most frequent first, each with its share.
world words {
  use types.{finding};
  export run: func(text: string) -> list<finding>;
}
";

/// What the snippet is called with.
pub(crate) const TEXT: &str = "\
INFO connection accepted from gateway, retry scheduled
DEBUG heartbeat
WARN retry after timeout, connection lost
ERROR retry limit reached
";

const SNIPPET: &str = r#"use std::collections::HashMap;

pub fn run(text: String) -> Vec<Finding> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for line in text.lines() {
        let Some((level, message)) = line.split_once(' ') else { continue };
        if level == "DEBUG" { continue; }
        for word in message.split_whitespace() {
            let word = word.trim_matches(',').to_string();
            if word.len() > 3 && word != "SEED" { *counts.entry(word).or_insert(0) += 1; }
        }
    }
    let total: u32 = counts.values().sum();
    let mut findings: Vec<Finding> = counts.into_iter().map(|(word, count)| {
        let share = format!("{count} of {total}");
        Finding { word, count, share }
    }).collect();
    findings.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.word.cmp(&b.word)));
    findings
}
"#;

/// What stands around the same code in a plain crate: its type, and an export that keeps it.
const PLAIN: &str = r#"
pub struct Finding { pub word: String, pub count: u32, pub share: String }
#[unsafe(export_name = "run")]
pub unsafe extern "C" fn exported(at: *mut u8, length: usize) -> *mut Vec<Finding> {
    Box::into_raw(Box::new(run(unsafe { String::from_raw_parts(at, length, length) })))
}
"#;

/// A word that no earlier round of any run had.
pub(crate) fn seed(round: usize) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    format!("{}-{round}", now.as_nanos())
}

pub(crate) fn snippet(seed: &str) -> String {
    SNIPPET.replace("SEED", seed)
}

/// The snippet with a wrong type, for which rustc has no fix.
pub(crate) fn type_error(seed: &str) -> String {
    snippet(seed).replace("let total: u32 =", "let total: HashMap<u8, u8> =")
}

/// The snippet with the sort of the slice, which is compiled for each closure.
pub(crate) fn with_slice_sort(code: &str) -> String {
    code.replace("findings.sort_by", "findings.as_mut_slice().sort_by")
}

/// The same code as a crate of its own, for the ordinary std.
pub(crate) fn plain(code: &str) -> String {
    format!("{code}{PLAIN}")
}
