//! Reading a trace back, a line at a time.

use std::io::{self, BufRead, Read};

use serde_json::{Map, Value as Json};

use super::VERSION;
use crate::error::Explain;

/// Longest line that is read, in bytes. The texts in an event are cut at [`super::MAX_VALUE`], but there can be several.
pub const MAX_LINE: usize = 16 * 1024 * 1024;

/// One event. Fields of a form that nobody expects count as absent: a trace may come from a newer program.
#[derive(Clone, Debug)]
pub struct Event {
    fields: Map<String, Json>,
}

impl Event {
    /// What happened: `prompt`, `verdict`.
    pub fn name(&self) -> &str {
        self.text("event").unwrap_or_default()
    }

    /// Place in the tree of holes; empty for events of the session.
    pub fn path(&self) -> &str {
        self.text("path").or(self.text("hole")).unwrap_or_default()
    }

    /// The attempt, from 1; events of the judgement of given code have none.
    pub fn attempt(&self) -> Option<u64> {
        self.number("attempt").filter(|attempt| *attempt > 0)
    }

    /// A field that is a text.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field)?.as_str()
    }

    /// A field that is a whole number.
    pub fn number(&self, field: &str) -> Option<u64> {
        self.fields.get(field)?.as_u64()
    }

    /// A field that is a list; empty when there is none.
    pub fn list(&self, field: &str) -> &[Json] {
        let list = self.fields.get(field).and_then(Json::as_array);
        list.map_or(&[], Vec::as_slice)
    }

    /// Any field; null when there is none.
    pub fn get(&self, field: &str) -> &Json {
        self.fields.get(field).unwrap_or(&Json::Null)
    }

    /// All of them, in the order of the line.
    pub fn fields(&self) -> &Map<String, Json> {
        &self.fields
    }

    /// Whether the event belongs to this hole or to one below it: `of` is a path of the tree, or a hole's name.
    pub fn is_of(&self, of: &str) -> bool {
        let below = self.path().strip_prefix(of);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            || self.text("hole") == Some(of)
    }
}

/// Why a trace cannot be read. Lines count from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file gave no more bytes.
    #[error("line {line}: {source}")]
    Read {
        /// The line that was being read.
        line: u64,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// A line is something else.
    #[error("line {line} is no event of a trace: {reason}")]
    NoEvent {
        /// The line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A line has the form of another version.
    #[error(
        "line {line} has version {found} of the trace's form; this program reads version {VERSION}"
    )]
    Version {
        /// The line.
        line: u64,
        /// Its version.
        found: u64,
    },
    /// A line is longer than [`MAX_LINE`].
    #[error("line {line} is longer than {} MiB", MAX_LINE / 1024 / 1024)]
    TooLong {
        /// The line.
        line: u64,
    },
    /// There is no event at all.
    #[error("there is no event in it")]
    Empty,
}

impl Explain for ReadError {
    fn hint(&self) -> Option<String> {
        match self {
            Self::Version { .. } => {
                Some("read it with the version of lacuna that wrote it, or a newer one".to_owned())
            }
            Self::NoEvent { .. } | Self::TooLong { .. } | Self::Empty => {
                Some("a trace is what `lacuna run --trace FILE` writes".to_owned())
            }
            Self::Read { .. } => None,
        }
    }
}

/// Reads events; an iterator that ends with the first error. Holds one line at a time.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    line: u64,
    events: u64,
    buffer: Vec<u8>,
    cut: bool,
    done: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads from a file, or from a pipe that is still being written to.
    pub fn new(input: R) -> Self {
        Self {
            input,
            line: 0,
            events: 0,
            buffer: Vec::new(),
            cut: false,
            done: false,
        }
    }

    /// Whether the input ended in the middle of a line: it is still being written, or its writer was killed.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    fn read(&mut self) -> Result<Option<Event>, ReadError> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let line = self.line;
            let most = MAX_LINE as u64 + 1;
            (&mut self.input)
                .take(most)
                .read_until(b'\n', &mut self.buffer)
                .map_err(|source| ReadError::Read { line, source })?;
            if self.buffer.len() > MAX_LINE && !self.buffer.ends_with(b"\n") {
                return Err(ReadError::TooLong { line });
            }
            if self.buffer.is_empty() {
                return match self.events {
                    0 => Err(ReadError::Empty),
                    _ => Ok(None),
                };
            }
            if self.buffer.trim_ascii().is_empty() {
                continue;
            }
            let whole = self.buffer.ends_with(b"\n");
            match parse(&self.buffer, line) {
                Ok(event) => {
                    self.events += 1;
                    return Ok(Some(event));
                }
                // What stands there is the beginning of an event, as far as it goes.
                Err(ReadError::NoEvent { .. })
                    if !whole && self.events > 0 && self.buffer.starts_with(b"{") =>
                {
                    self.cut = true;
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Event, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.read().transpose();
        self.done = !matches!(read, Some(Ok(_)));
        read
    }
}

fn parse(bytes: &[u8], line: u64) -> Result<Event, ReadError> {
    let no_event = |reason: &str| ReadError::NoEvent {
        line,
        reason: reason.to_owned(),
    };
    let text = std::str::from_utf8(bytes).map_err(|_| no_event("it is not UTF-8 text"))?;
    let json: Json = serde_json::from_str(text).map_err(|error| {
        let what = error.to_string();
        // Its own line number would be 1, always.
        let what = what.split(" at line ").next().unwrap_or_default();
        no_event(&format!(
            "it is not JSON ({what}, column {})",
            error.column()
        ))
    })?;
    let Json::Object(fields) = json else {
        return Err(no_event("it is no JSON object"));
    };
    match fields.get("v") {
        Some(version) if version.as_u64() == Some(VERSION.into()) => {}
        Some(version) => match version.as_u64() {
            Some(found) => return Err(ReadError::Version { line, found }),
            None => return Err(no_event("its version `v` is no number")),
        },
        None => return Err(no_event("it has no version `v`")),
    }
    if !fields.get("event").is_some_and(Json::is_string) {
        return Err(no_event("it does not say which `event` it is"));
    }
    Ok(Event { fields })
}
