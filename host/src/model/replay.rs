//! Answers from recorded files (CONTRACTS 6.7): the provider of every example, so that it runs without a key.
//!
//! A recording is the answer's text behind front matter:
//!
//! ```text
//! ---
//! prompt: blake3:…
//! model: openai:gpt-4.1-mini
//! tokens-in: 812
//! tokens-out: 96
//! stop-reason: stop
//! ---
//! the answer, byte for byte
//! ```
#![expect(clippy::disallowed_methods, reason = "reads recordings")]

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::text::one_line;
use crate::prompt::Prompt;

use super::{Answer, Completion, Model, ModelError, Request};

/// Bytes that front matter may have beside the answer that `model-answer` limits.
const HEAD: u64 = 64 * 1024;

/// A folder of recordings.
pub(super) struct Replay {
    name: String,
    folder: PathBuf,
    strict: bool,
}

impl Replay {
    /// Reads from `dir`, which is relative to `folder`; `strict` makes another prompt's hash an error. The name, which
    /// goes into traces and recordings, has no more of the path than the user wrote.
    pub(super) fn new(folder: &Path, dir: &Path, strict: bool) -> Self {
        Self {
            name: format!("replay:{}", dir.display()),
            folder: folder.join(dir),
            strict,
        }
    }

    fn answer(&self, request: &Request<'_>) -> Result<Answer, ModelError> {
        let started = Instant::now();
        if request.deadline <= started {
            return Err(ModelError::Deadline);
        }
        let file = self.folder.join(file_name(request.path, request.attempt));
        let recording = self.read(&file, request)?;
        let asked = prompt_hash(request.prompt);
        match recording.front("prompt") {
            Some(recorded) if recorded == asked => {}
            None if !self.strict => {}
            recorded if self.strict => {
                return Err(ModelError::RecordingMismatch {
                    file,
                    recorded: one_line(recorded.unwrap_or("no hash")),
                    asked,
                });
            }
            _ => (request.notify)(&format!(
                "warning: {} was recorded for another prompt",
                file.display()
            )),
        }
        if recording.text.len() as u64 > request.limits.answer {
            return Err(self.too_large(request));
        }
        if recording.text.trim().is_empty() {
            return Err(ModelError::Empty {
                model: file.display().to_string(),
            });
        }
        let number = |key| recording.front(key).and_then(|value| value.parse().ok());
        Ok(Answer {
            tokens_in: number("tokens-in"),
            tokens_out: number("tokens-out"),
            stop_reason: recording.front("stop-reason").map(one_line),
            elapsed: started.elapsed().max(Duration::from_nanos(1)),
            text: recording.text.to_owned(),
        })
    }

    fn read(&self, file: &Path, request: &Request<'_>) -> Result<Recording, ModelError> {
        let failed = |cause: String| ModelError::Recording {
            action: "read",
            file: file.to_owned(),
            cause,
        };
        // What is there is looked at before it is opened: opening a FIFO would wait for a writer.
        let kind = std::fs::metadata(file).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                ModelError::MissingRecording {
                    path: request.path.to_owned(),
                    attempt: request.attempt,
                    file: file.to_owned(),
                }
            }
            _ => failed(error.to_string()),
        })?;
        if !kind.is_file() {
            return Err(failed("it is no file".to_owned()));
        }
        let most = request.limits.answer.saturating_add(HEAD);
        let mut bytes = Vec::new();
        std::fs::File::open(file)
            .and_then(|opened| opened.take(most.saturating_add(1)).read_to_end(&mut bytes))
            .map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > most {
            return Err(self.too_large(request));
        }
        let text = String::from_utf8(bytes).map_err(|_| ModelError::Malformed {
            from: file.display().to_string(),
            reason: "it is not UTF-8".to_owned(),
        })?;
        Ok(Recording::parse(text))
    }

    fn too_large(&self, request: &Request<'_>) -> ModelError {
        ModelError::TooLarge {
            model: self.name.clone(),
            limit: request.limits.answer,
        }
    }
}

impl Model for Replay {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(async move { self.answer(request) })
    }
}

/// `blake3:…` of a prompt's text: what ties a recording to what was asked.
pub fn prompt_hash(prompt: &Prompt) -> String {
    format!("blake3:{}", blake3::hash(prompt.text.as_bytes()).to_hex())
}

/// `audit.0.2.1.md` for attempt 1 of the hole at `audit/0/2`. No `/` is left, so the name stays in the folder.
pub(super) fn file_name(path: &str, attempt: u32) -> String {
    format!("{}.{attempt}.md", path.replace('/', "."))
}

/// A recording's parts.
#[derive(Debug, PartialEq)]
pub(super) struct Recording {
    front: Vec<(String, String)>,
    text: String,
}

impl Recording {
    /// Splits front matter off. Text that only begins like it (a rule of `---`, a list) is all answer.
    pub(super) fn parse(whole: String) -> Self {
        match split_front(&whole) {
            Some((front, text)) => Self {
                text: text.to_owned(),
                front,
            },
            None => Self {
                front: Vec::new(),
                text: whole,
            },
        }
    }

    /// The file's text. It always has front matter, so an answer that begins with `---` is read back as it was.
    pub(super) fn render(prompt: &Prompt, model: &str, answer: &Answer) -> String {
        let mut whole = format!("---\nprompt: {}\n", prompt_hash(prompt));
        let mut line = |key: &str, value: Option<String>| {
            if let Some(value) = value
                .map(|value| one_line(&value))
                .filter(|v| !v.is_empty())
            {
                whole.push_str(&format!("{key}: {value}\n"));
            }
        };
        line("model", Some(model.to_owned()));
        line("tokens-in", answer.tokens_in.map(|count| count.to_string()));
        line(
            "tokens-out",
            answer.tokens_out.map(|count| count.to_string()),
        );
        line("stop-reason", answer.stop_reason.clone());
        whole.push_str("---\n");
        whole.push_str(&answer.text);
        whole
    }

    fn front(&self, key: &str) -> Option<&str> {
        self.front
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }
}

/// Key and value of each front matter line, and the text behind; `None` without front matter.
fn split_front(whole: &str) -> Option<(Vec<(String, String)>, &str)> {
    let mut rest = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    let mut next = || {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let ended = line.len() == rest.len();
        rest = after;
        (line.strip_suffix('\r').unwrap_or(line), after, ended)
    };
    if next().0 != "---" {
        return None;
    }
    let mut front = Vec::new();
    loop {
        let (line, after, ended) = next();
        if line == "---" {
            return Some((front, after));
        }
        let (key, value) = line.split_once(':')?;
        let is_key = !key.is_empty()
            && key
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !is_key || ended {
            return None;
        }
        front.push((key.to_owned(), value.trim().to_owned()));
    }
}
