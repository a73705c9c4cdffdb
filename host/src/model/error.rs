//! Why there is no answer.

use std::path::PathBuf;
use std::time::Duration;

use crate::error::{Explain, Place};
use crate::plan::manifest::MODEL_PROVIDERS;

/// Why there is no answer. Texts of servers and programs in it are masked, escaped and cut before they get here, so
/// every message may be printed and traced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No connection, or it ended before an answer began; retries are used up.
    #[error("cannot reach {server}: {cause}{}", tried(*.tries))]
    Unreachable {
        /// Scheme, host and path that were asked.
        server: String,
        /// The system's or TLS's reason.
        cause: String,
        /// How often it was tried.
        tries: u32,
        /// The variable that names another address.
        address: &'static str,
    },
    /// The model's `timeout` ended, retries and waits included.
    #[error("no complete answer within {timeout:?} (`timeout` of the model)")]
    Timeout {
        /// The `timeout`.
        timeout: Duration,
    },
    /// The session's time ended.
    #[error("the session's time ended before the model had answered (`budget.wall`)")]
    Deadline,
    /// No byte came for too long.
    #[error("{server} sent nothing for {silence:?} (limit `model-silence`)")]
    Silence {
        /// Who was silent.
        server: String,
        /// The limit.
        silence: Duration,
    },
    /// 429; retries are used up, or the wait that is asked for does not fit into the time left.
    #[error("{server} limits the rate (429): {message}{}{}", tried(*.tries), asked(*.retry_after))]
    RateLimited {
        /// Who answered.
        server: String,
        /// The server's words.
        message: String,
        /// How often it was tried.
        tries: u32,
        /// The wait that the last answer asked for.
        retry_after: Option<Duration>,
    },
    /// 5xx; retries are used up, or the wait that is asked for does not fit into the time left.
    #[error("{server} failed ({status}): {message}{}{}", tried(*.tries), asked(*.retry_after))]
    Server {
        /// Who answered.
        server: String,
        /// The HTTP status, 200 when the error stood in the answer.
        status: u16,
        /// The server's words.
        message: String,
        /// How often it was tried.
        tries: u32,
        /// The wait that the last answer asked for.
        retry_after: Option<Duration>,
    },
    /// 401 or 403.
    #[error("{server} refuses access ({status}): {message}")]
    Unauthorised {
        /// Who answered.
        server: String,
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
        /// The variable that holds the key, if the provider has keys.
        variable: Option<&'static str>,
        /// The variable that names another address.
        address: &'static str,
        /// Whether a key was sent.
        key_sent: bool,
        /// Whether there is a key that was kept back, since only the manifest names the server.
        key_withheld: bool,
    },
    /// 402, or a quota that only paying lifts.
    #[error("{server} wants payment ({status}): {message}")]
    Payment {
        /// Who answered.
        server: String,
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// 404.
    #[error("{server} does not know `{model}` or the address (404): {message}")]
    NotFound {
        /// Who answered.
        server: String,
        /// The model that was asked for.
        model: String,
        /// The server's words.
        message: String,
        /// The variable that names another address.
        address: &'static str,
    },
    /// 400, or another status that a retry does not change.
    #[error("{server} rejects the request ({status}): {message}")]
    BadRequest {
        /// Who answered.
        server: String,
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
    },
    /// The model, or a filter before it, does not want to.
    #[error("`{model}` refuses: {message}")]
    Refusal {
        /// Which model.
        model: String,
        /// Its words.
        message: String,
    },
    /// The answer ended at the output limit.
    #[error("the answer of `{model}` was cut at {max_output_tokens} tokens (`{reason}`)")]
    CutByLength {
        /// Which model.
        model: String,
        /// The manifest's `max-output-tokens`, or less where the budget has less.
        max_output_tokens: u64,
        /// Field and word of the provider: `finish_reason: length`.
        reason: String,
    },
    /// Prompt and answer together are more than the model can hold.
    #[error("prompt and answer are more than `{model}` can hold (`{reason}`)")]
    WindowFull {
        /// Which model.
        model: String,
        /// Field and word of the provider.
        reason: String,
    },
    /// Nothing, or blanks only.
    #[error("`{model}` gave an empty answer")]
    Empty {
        /// Which model.
        model: String,
    },
    /// Limit `model-answer`.
    #[error("the answer of `{model}` is larger than {limit} bytes (limit `model-answer`)")]
    TooLarge {
        /// Which model.
        model: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// What came is not what the protocol says.
    #[error("the answer of `{from}` cannot be read: {reason}")]
    Malformed {
        /// Who sent it: a server, a program, a file.
        from: String,
        /// What is wrong.
        reason: String,
    },
    /// The provider needs a key that is not set.
    #[error("no key for `{model}`: {variable} is not set")]
    MissingKey {
        /// Which model.
        model: String,
        /// The variable.
        variable: &'static str,
    },
    /// The program of `command` does not exist.
    #[error("no program `{program}` to ask")]
    CommandNotFound {
        /// First word of the command.
        program: String,
    },
    /// The program of `command` could not be started.
    #[error("cannot start `{program}`: {cause}")]
    CommandNotStarted {
        /// First word of the command.
        program: String,
        /// The system's reason.
        cause: String,
    },
    /// The program of `command` failed.
    #[error("`{program}` ended with {ending}{}", said(.stderr))]
    CommandFailed {
        /// First word of the command.
        program: String,
        /// `exit code 3`, `signal 9`.
        ending: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// `VISUAL` or `EDITOR` could not be started.
    #[error("cannot start the editor `{editor}`: {cause}")]
    EditorNotStarted {
        /// First word of the variable.
        editor: String,
        /// The system's reason.
        cause: String,
    },
    /// The editor failed; what it wrote is not taken.
    #[error("the editor `{editor}` ended with {ending}, so nothing of its file is taken")]
    EditorFailed {
        /// First word of the variable.
        editor: String,
        /// `exit code 3`, `signal 9`.
        ending: String,
    },
    /// The editor left the file as it was.
    #[error("the editor `{editor}` left the file as it was")]
    EditorUnchanged {
        /// First word of the variable.
        editor: String,
    },
    /// The editor left no code in the file.
    #[error("the editor `{editor}` left no code in the file")]
    EditorEmpty {
        /// First word of the variable.
        editor: String,
    },
    /// The file for the editor, or standard input, could not be used.
    #[error("cannot {action}: {cause}")]
    Handover {
        /// `write the prompt for the editor`, `read standard input`.
        action: &'static str,
        /// The system's reason.
        cause: String,
    },
    /// There is no recorded answer.
    #[error("no recorded answer, {} does not exist", .file.display())]
    MissingRecording {
        /// Place of the hole in the tree.
        path: String,
        /// Attempt, from 1.
        attempt: u32,
        /// The file that was looked for.
        file: PathBuf,
    },
    /// The recorded answer belongs to another prompt, and `--strict` is on.
    #[error("{} was recorded for another prompt ({recorded}; this one is {asked})", .file.display())]
    RecordingMismatch {
        /// The file.
        file: PathBuf,
        /// Hash in the file, or `no hash`.
        recorded: String,
        /// Hash of the prompt.
        asked: String,
    },
    /// A recording could not be read or written.
    #[error("cannot {action} the recording {}: {cause}", .file.display())]
    Recording {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// The reason.
        cause: String,
    },
    /// A provider that does not exist.
    #[error("no model provider `{provider}`")]
    UnknownProvider {
        /// The name.
        provider: String,
        /// The nearest one that exists.
        nearest: Option<&'static str>,
        /// Where it stands.
        place: Place,
    },
    /// A setting of the model is missing or cannot be used.
    #[error("{message}")]
    Setting {
        /// What is wrong.
        message: String,
        /// Where the model stands, when it stands in a text.
        place: Option<Place>,
        /// The way out, where the message does not say it.
        hint: Option<String>,
    },
    /// `--model` names neither a model of the manifest nor a provider's.
    #[error("no model `{name}` in the manifest, and `--model` otherwise takes `provider:model`")]
    UnknownModel {
        /// What was given.
        name: String,
        /// What may have been meant, with its quotes.
        hint: String,
        /// The option.
        place: Place,
    },
}

impl ModelError {
    /// The kind's name, as a trace has it: `cut-by-length`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "unreachable",
            Self::Timeout { .. } => "timeout",
            Self::Deadline => "deadline",
            Self::Silence { .. } => "silence",
            Self::RateLimited { .. } => "rate-limited",
            Self::Server { .. } => "server",
            Self::Unauthorised { .. } => "unauthorised",
            Self::Payment { .. } => "payment",
            Self::NotFound { .. } => "not-found",
            Self::BadRequest { .. } => "bad-request",
            Self::Refusal { .. } => "refusal",
            Self::CutByLength { .. } => "cut-by-length",
            Self::WindowFull { .. } => "window-full",
            Self::Empty { .. } => "empty",
            Self::TooLarge { .. } => "too-large",
            Self::Malformed { .. } => "malformed",
            Self::MissingKey { .. } => "missing-key",
            Self::CommandNotFound { .. } => "command-not-found",
            Self::CommandNotStarted { .. } => "command-not-started",
            Self::CommandFailed { .. } => "command-failed",
            Self::EditorNotStarted { .. } => "editor-not-started",
            Self::EditorFailed { .. } => "editor-failed",
            Self::EditorUnchanged { .. } => "editor-unchanged",
            Self::EditorEmpty { .. } => "editor-empty",
            Self::Handover { .. } => "handover",
            Self::MissingRecording { .. } => "missing-recording",
            Self::RecordingMismatch { .. } => "recording-mismatch",
            Self::Recording { .. } => "recording",
            Self::UnknownProvider { .. } => "unknown-provider",
            Self::Setting { .. } => "setting",
            Self::UnknownModel { .. } => "unknown-model",
        }
    }

    /// The same without how often it was tried and the wait that is asked for: a line about a retry says both itself.
    pub(super) fn of_one_try(mut self) -> Self {
        match &mut self {
            Self::Unreachable { tries, .. } => *tries = 1,
            Self::RateLimited {
                tries, retry_after, ..
            }
            | Self::Server {
                tries, retry_after, ..
            } => (*tries, *retry_after) = (1, None),
            _ => {}
        }
        self
    }

    /// Whether a model may have been at work, which may have to be paid. What failed on this machine has cost nothing.
    pub(crate) fn was_sent(&self) -> bool {
        !matches!(
            self,
            Self::MissingKey { .. }
                | Self::CommandNotFound { .. }
                | Self::CommandNotStarted { .. }
                | Self::EditorNotStarted { .. }
                | Self::EditorFailed { .. }
                | Self::EditorUnchanged { .. }
                | Self::EditorEmpty { .. }
                | Self::Handover { .. }
                | Self::MissingRecording { .. }
                | Self::RecordingMismatch { .. }
                | Self::UnknownProvider { .. }
                | Self::UnknownModel { .. }
                | Self::Setting { .. }
        )
    }
}

impl Explain for ModelError {
    fn place(&self) -> Option<&Place> {
        match self {
            Self::UnknownProvider { place, .. } | Self::UnknownModel { place, .. } => Some(place),
            Self::Setting { place, .. } => place.as_ref(),
            _ => None,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Unreachable { address, .. } => {
                format!("is the server running, and is `base-url` (or {address}) right?")
            }
            Self::Timeout { .. } => "give the model a longer `timeout`".to_owned(),
            Self::Deadline => "give the session more time with `budget.wall`".to_owned(),
            Self::Silence { .. } => {
                "a model that thinks for long needs a larger `limits.model-silence`".to_owned()
            }
            Self::RateLimited { .. } | Self::Server { .. } => {
                "try again later, or allow more with `limits.model-retries` and the model's `timeout`"
                    .to_owned()
            }
            Self::Unauthorised { variable: None, .. } => {
                "this provider has no key to send; is something else at that address?".to_owned()
            }
            Self::Unauthorised { variable: Some(variable), key_sent: true, .. } => {
                format!("is the key in {variable} valid for this server and model?")
            }
            Self::Unauthorised { variable: Some(variable), address, key_withheld: true, .. } => format!(
                "{variable} was not sent, since only the manifest's `base-url` names this server; if the key is meant for it, set {address} to the same address"
            ),
            Self::Unauthorised { variable: Some(variable), .. } | Self::MissingKey { variable, .. } => {
                format!("set {variable} in the environment")
            }
            Self::Payment { .. } => "the account of this key has no credit left".to_owned(),
            Self::NotFound { address: "OLLAMA_HOST", model, .. } => format!(
                "`ollama pull {model}` fetches a model; its server stands in `base-url` or OLLAMA_HOST"
            ),
            Self::NotFound { address: "OPENAI_BASE_URL", .. } => {
                "check the model's name and `base-url` (or OPENAI_BASE_URL), which includes the `/v1`"
                    .to_owned()
            }
            Self::NotFound { address, .. } => {
                format!("check the model's name and `base-url` (or {address})")
            }
            Self::WindowFull { .. } => {
                "choose a model that holds more, or make the task and its types shorter".to_owned()
            }
            Self::CutByLength { .. } => "raise the model's `max-output-tokens`".to_owned(),
            Self::TooLarge { .. } => "raise `limits.model-answer`".to_owned(),
            Self::CommandNotFound { .. } => {
                "the first word is looked up in PATH, no shell is involved".to_owned()
            }
            Self::EditorNotStarted { .. } => {
                "VISUAL or EDITOR names it; without both, the code is read from standard input"
                    .to_owned()
            }
            Self::EditorFailed { .. } | Self::EditorEmpty { .. } => {
                "write the code, save it, and leave the editor as usual".to_owned()
            }
            Self::EditorUnchanged { .. } => {
                "save the code before you leave it; an editor that returns at once needs its flag to wait, such as `code --wait`"
                    .to_owned()
            }
            Self::MissingRecording { .. } => {
                "record one with `--model PROVIDER:MODEL --record DIR`".to_owned()
            }
            Self::RecordingMismatch { .. } => {
                "record it again with `--record`, or run without `--strict`".to_owned()
            }
            Self::UnknownProvider { nearest: Some(nearest), .. } => {
                format!("did you mean `{nearest}`?")
            }
            Self::UnknownModel { hint, .. } => hint.clone(),
            Self::Setting { hint, .. } => return hint.clone(),
            Self::UnknownProvider { .. } => format!("there are: {}", MODEL_PROVIDERS.join(", ")),
            Self::BadRequest { .. }
            | Self::Refusal { .. }
            | Self::Empty { .. }
            | Self::Malformed { .. }
            | Self::CommandNotStarted { .. }
            | Self::CommandFailed { .. }
            | Self::Handover { .. }
            | Self::Recording { .. } => return None,
        })
    }
}

fn tried(count: u32) -> String {
    if count > 1 {
        format!(" (tried {count} times)")
    } else {
        String::new()
    }
}

fn asked(wait: Option<Duration>) -> String {
    match wait {
        Some(wait) if wait > Duration::ZERO => {
            // Whoever asks for more does not mean a number.
            const DAY: u64 = 24 * 60 * 60;
            match wait
                .as_secs()
                .saturating_add(u64::from(wait.subsec_nanos() > 0))
            {
                seconds if seconds <= DAY => format!("; it asks to wait {seconds} s"),
                _ => "; it asks to wait for more than a day".to_owned(),
            }
        }
        _ => String::new(),
    }
}

fn said(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(": {stderr}")
    }
}
