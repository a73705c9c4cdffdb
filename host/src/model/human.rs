//! A person: the prompt in an editor of theirs, or on the terminal, and code from there.

mod editor;
mod input;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::environment;
use crate::plan::manifest::ModelConfig;

use self::editor::Editor;
use super::clock::Clock;
use super::{Answer, Completion, Environment, Model, ModelError, Request};

/// Begins the lines of the editor's file that are not part of the answer.
const REMARK: &str = "//#";

/// Someone who writes code.
pub(super) struct Human {
    editor: Option<Editor>,
    timeout: Duration,
    /// Place in the tree and code of the last answer, which the next attempt there starts from.
    last: Mutex<Option<(String, String)>>,
    /// Whether there is someone to open an editor for; tests have no terminal.
    pub(super) at_terminal: fn() -> bool,
}

impl Human {
    /// The editor is that of `VISUAL`, else of `EDITOR`.
    pub(super) fn open(
        config: &ModelConfig,
        environment: &Environment,
    ) -> Result<Self, ModelError> {
        let named = [environment::VISUAL, environment::EDITOR]
            .into_iter()
            .find_map(|variable| Some((variable, environment.text(variable)?)));
        let editor = named
            .map(|(variable, text)| Editor::named(variable, text))
            .transpose()?;
        Ok(Self {
            editor,
            timeout: config.timeout,
            last: Mutex::default(),
            at_terminal: input::is_terminal,
        })
    }

    async fn ask(&self, request: &Request<'_>) -> Result<Answer, ModelError> {
        let clock = Clock::start(request, self.timeout);
        // Whoever pipes the answer in has no terminal to give to an editor.
        let editor = self.editor.as_ref().filter(|_| (self.at_terminal)());
        let asked = async {
            match editor {
                Some(editor) => self.edited(editor, request).await,
                None => self.typed(request).await,
            }
        };
        let code = clock.within(asked).await??;
        Ok(Answer {
            text: fenced(&code),
            tokens_in: None,
            tokens_out: None,
            stop_reason: None,
            elapsed: clock.elapsed(),
        })
    }

    async fn edited(&self, editor: &Editor, request: &Request<'_>) -> Result<String, ModelError> {
        (request.notify)(&format!(
            "the prompt is in your editor `{}`; write the code there, save and leave it",
            editor.name()
        ));
        let most = request.limits.answer;
        let too_large = || self.too_large(request);
        let before = self.start(request);
        // The prompt stands in the file too, and is no part of what is limited.
        let room = most.saturating_add(before.len() as u64);
        let after = editor.edit(&before, room).await?.ok_or_else(too_large)?;
        let after = text(after, editor.name())?;
        if after == before {
            return Err(ModelError::EditorUnchanged {
                editor: editor.name().to_owned(),
            });
        }
        let code = without_remarks(&after);
        if code.trim().is_empty() {
            return Err(ModelError::EditorEmpty {
                editor: editor.name().to_owned(),
            });
        }
        if code.len() as u64 > most {
            return Err(too_large());
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((request.path.to_owned(), code.clone()));
        Ok(code)
    }

    async fn typed(&self, request: &Request<'_>) -> Result<String, ModelError> {
        (request.show)(&request.prompt.text);
        (request.notify)("write the code to standard input and end it (Ctrl-D on a terminal)");
        let bytes = input::read(request.limits.answer).await?;
        let code = text(bytes.ok_or_else(|| self.too_large(request))?, self.name())?;
        if code.trim().is_empty() {
            return Err(ModelError::Empty {
                model: self.name().to_owned(),
            });
        }
        Ok(code)
    }

    /// What the editor's file begins as.
    fn start(&self, request: &Request<'_>) -> String {
        let mut file = format!(
            "{REMARK} Write the code below, save and leave the editor. Lines that begin with {REMARK} are taken out.\n{REMARK}\n"
        );
        for line in request.prompt.text.lines() {
            let blank = if line.is_empty() { "" } else { " " };
            file.push_str(&format!("{REMARK}{blank}{line}\n"));
        }
        file.push('\n');
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((path, code)) = &*last
            && path == request.path
        {
            file.push_str(code.trim_start_matches('\n'));
        }
        file
    }

    fn too_large(&self, request: &Request<'_>) -> ModelError {
        ModelError::TooLarge {
            model: self.name().to_owned(),
            limit: request.limits.answer,
        }
    }
}

impl Model for Human {
    fn name(&self) -> &str {
        "human"
    }

    fn complete<'a>(&'a self, request: &'a Request<'a>) -> Completion<'a> {
        Box::pin(self.ask(request))
    }
}

fn text(bytes: Vec<u8>, from: &str) -> Result<String, ModelError> {
    String::from_utf8(bytes).map_err(|_| ModelError::Malformed {
        from: from.to_owned(),
        reason: "it is not UTF-8".to_owned(),
    })
}

fn without_remarks(file: &str) -> String {
    let lines = file.split_inclusive('\n');
    lines.filter(|line| !line.starts_with(REMARK)).collect()
}

/// People write code, models write it into a fenced block. Who writes a fence has pasted a whole answer.
fn fenced(code: &str) -> String {
    if code.lines().any(|line| line.starts_with("```")) {
        return code.to_owned();
    }
    let code = code.trim_matches('\n');
    format!("```rust\n{code}\n```\n")
}
