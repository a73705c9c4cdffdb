//! The provider `command`: a program with tools. A call is one line of JSON on its stdin and one on its stdout, see
//! [`super::wire`].
//!
//! The program is the manifest's, with fixed arguments: nothing that a guest says becomes a part of a command line. It is
//! started for each call and has to end with its answer, or it is kept for the session and is asked one call after the
//! other. Its environment is PATH and `LANG=C.UTF-8`, so keys of the user do not reach it by accident.

mod kept;

use std::ffi::OsString;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::Mutex;

use super::outcome::Failure;
use super::tool::{FunctionType, ImportType, Provider, Serve, ToolCall};
use super::wire;
use crate::environment;
use crate::error::text::tail;
use crate::grant::CommandGrant;
use crate::process::{self, Program, RunError, Variables, ending};
use crate::value::Value;
use kept::Kept;

impl Provider for CommandGrant {
    fn open(&self, _import: &ImportType) -> Result<Arc<dyn Serve>, String> {
        let mut variables = vec![("LANG", OsString::from("C.UTF-8"))];
        variables.extend(self.path.clone().map(|path| (environment::PATH, path)));
        let command = Command {
            grant: self.clone(),
            variables,
            kept: Mutex::default(),
        };
        Ok(Arc::new(Served(Arc::new(command))))
    }
}

struct Served(Arc<Command>);

impl Serve for Served {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>> {
        let command = Arc::clone(&self.0);
        Box::pin(async move {
            if command.grant.keep_alive {
                command.ask(call).await
            } else {
                command.run(call).await
            }
        })
    }
}

struct Command {
    grant: CommandGrant,
    variables: Vec<(&'static str, OsString)>,
    /// The program while nobody asks it; who asks takes it out, so that a call that is given up takes it along.
    kept: Mutex<Option<Kept>>,
}

impl Command {
    fn program(&self) -> Program<'_> {
        Program {
            file: self.grant.program.as_os_str(),
            arguments: &self.grant.arguments,
            folder: &self.grant.folder,
            variables: Variables::Only(&self.variables),
        }
    }

    /// A program of its own for the call.
    async fn run(&self, call: ToolCall) -> Result<Option<Value>, Failure> {
        let function = &call.function;
        let crossing = call.bounds.crossing;
        let line = question(&call);
        let most = wire::most(crossing);
        let output = process::run(self.program(), line.as_bytes(), most, &|_| {})
            .await
            .map_err(|error| match error {
                RunError::NotStarted(error) => self.not_started(function, &error),
                RunError::TooLarge => {
                    wire::too_large(function, crossing, (most as u64).saturating_add(1))
                }
            })?;
        if !output.status.success() {
            let how = format!("ended with {}", ending(output.status));
            return Err(self.failed(function, &how, &output.stderr));
        }
        let answer = output.stdout.trim_ascii();
        if answer.is_empty() {
            return Err(self.failed(function, "answered nothing", &output.stderr));
        }
        if answer.contains(&b'\n') {
            return Err(self.failed(function, MORE, &output.stderr));
        }
        wire::answer(function, answer, crossing)
    }

    /// The program that is kept, or a new one.
    async fn ask(&self, call: ToolCall) -> Result<Option<Value>, Failure> {
        let function = &call.function;
        let mut slot = self.kept.lock().await;
        let mut kept = match slot.take() {
            Some(kept) => kept,
            None => {
                Kept::start(self.program()).map_err(|error| self.not_started(function, &error))?
            }
        };
        let crossing = call.bounds.crossing;
        let most = wire::most(crossing);
        let asked = kept.ask(question(&call).as_bytes(), most).await;
        let answer = match asked {
            Ok(answer) => answer,
            Err(kept::Wrong::TooLarge { used }) => {
                return Err(wire::too_large(function, crossing, used));
            }
            Err(kept::Wrong::Ended(what)) => {
                return Err(self.failed(function, &what, &kept.complaint()));
            }
        };
        // After an answer that is none nobody knows what the program's next line answers: a new one is started then.
        let value = wire::answer(function, answer.trim_ascii(), crossing)?;
        *slot = Some(kept);
        Ok(value)
    }

    fn not_started(&self, function: &FunctionType, error: &std::io::Error) -> Failure {
        let program = &self.grant.name;
        wire::failed(function, &format!("cannot start `{program}`: {error}"))
    }

    /// What the program did, and the last it said on stderr.
    fn failed(&self, function: &FunctionType, what: &str, complaint: &str) -> Failure {
        let program = &self.grant.name;
        let complaint = tail(complaint);
        let joint = if complaint.is_empty() { "" } else { ": " };
        wire::failed(function, &format!("`{program}` {what}{joint}{complaint}"))
    }
}

/// More than one line.
const MORE: &str = "answered more than one line";

fn question(call: &ToolCall) -> String {
    let mut line = wire::request(&call.function, &call.arguments);
    line.push('\n');
    line
}

#[cfg(test)]
mod tests;
