//! Every way in which the library can fail.

use std::path::PathBuf;

use crate::budget::BudgetError;
use crate::capability::Sent;
use crate::compile::CompileError;
use crate::error::{Explain, Place};
use crate::grant::GrantError;
use crate::model::ModelError;
use crate::plan::PlanError;
use crate::sandbox::{Failure, FailureKind, SandboxError};
use crate::scope::ScopeError;
use crate::toolchain::ToolchainError;

use super::AttemptReport;

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The plan or its manifest is not valid.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A grant does not fit its import.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// No scope can be made.
    #[error(transparent)]
    Scope(#[from] ScopeError),
    /// The manifest names no model for a hole that needs one.
    #[error("hole `{hole}` has no model: lacuna.toml has no [models.{name}]")]
    NoModel {
        /// The hole.
        hole: String,
        /// The table that is missing.
        name: String,
    },
    /// There is no usable toolchain.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The compiler cannot be run.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The sandbox cannot be made.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The model gave no answer.
    #[error("hole `{hole}`, attempt {attempt}: {source}")]
    Model {
        /// The hole.
        hole: String,
        /// The attempt, from 1.
        attempt: u32,
        /// Why.
        #[source]
        source: Box<ModelError>,
    },
    /// A model cannot be used as it is configured.
    #[error(transparent)]
    ModelSetup(Box<ModelError>),
    /// The budget is used up.
    #[error("hole `{hole}`: {source}")]
    Budget {
        /// The hole.
        hole: String,
        /// What is used up.
        #[source]
        source: BudgetError,
    },
    /// No snippet was accepted.
    #[error("{}", rejected(.hole, .attempts, *.repeated))]
    Rejected {
        /// The hole.
        hole: String,
        /// Every attempt with its diagnostics.
        attempts: Vec<AttemptReport>,
        /// The model repeated itself, so that it was not asked again.
        repeated: bool,
    },
    /// An accepted snippet failed when it ran.
    #[error("hole `{hole}`: {}", beneath(.failure))]
    Failed {
        /// The hole.
        hole: String,
        /// How.
        failure: Failure,
        /// What it printed before.
        log: Vec<String>,
        /// Calls that it made before and that can't be undone.
        sent: Vec<Sent>,
    },
    /// A file that was named could not be read or written.
    #[error("cannot {doing} {}: {source}", .path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A fault of Lacuna itself.
    #[error("internal error while {doing}; please report it")]
    Internal {
        /// What was being done.
        doing: &'static str,
    },
}

/// A failure's text, whose further lines can't be taken for lines of ours: a panic says what the guest wants.
fn beneath(failure: &Failure) -> String {
    failure.to_string().replace('\n', "\n  | ")
}

fn rejected(hole: &str, attempts: &[AttemptReport], repeated: bool) -> String {
    let count = attempts.len();
    match (count, repeated) {
        (0, _) => format!("hole `{hole}`: `budget.attempts` is 0, so no model was asked"),
        (1, _) if attempts[0].number == 0 => format!("hole `{hole}`: the snippet is rejected"),
        (_, true) => format!(
            "hole `{hole}`: the model gave the same rejected answer twice ({count} attempts)"
        ),
        (1, _) => format!("hole `{hole}`: the one attempt was rejected"),
        _ => format!("hole `{hole}`: all {count} attempts were rejected"),
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Self {
        Self::ModelSetup(Box::new(error))
    }
}

impl Error {
    pub(crate) fn internal(doing: &'static str) -> Self {
        Self::Internal { doing }
    }

    /// The exit code of a process that ends with this error (CONTRACTS section 7).
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Rejected { .. } => 1,
            Self::Model { .. } => 3,
            Self::ModelSetup(error) => match **error {
                ModelError::Setting { .. }
                | ModelError::UnknownProvider { .. }
                | ModelError::UnknownModel { .. } => 2,
                _ => 3,
            },
            Self::Failed { failure, .. } if failure.kind == FailureKind::Approval => 2,
            Self::Failed { .. } | Self::Budget { .. } => 4,
            _ => 2,
        }
    }

    /// The hole that failed, when one did.
    pub fn hole(&self) -> Option<&str> {
        match self {
            Self::Model { hole, .. }
            | Self::Budget { hole, .. }
            | Self::Rejected { hole, .. }
            | Self::Failed { hole, .. } => Some(hole),
            _ => None,
        }
    }

    fn explain(&self) -> Option<&dyn Explain> {
        Some(match self {
            Self::Plan(error) => error,
            Self::Grant(error) => error,
            Self::Scope(error) => error,
            Self::Toolchain(error) => error,
            Self::Compile(error) => error,
            Self::Sandbox(error) => error,
            Self::Model { source, .. } | Self::ModelSetup(source) => &**source,
            Self::Budget { source, .. } => source,
            Self::Failed { failure, .. } => failure,
            Self::Rejected { .. }
            | Self::NoModel { .. }
            | Self::File { .. }
            | Self::Internal { .. } => return None,
        })
    }
}

impl Explain for Error {
    fn place(&self) -> Option<&Place> {
        self.explain()?.place()
    }

    fn hint(&self) -> Option<String> {
        if let Self::Rejected {
            repeated, attempts, ..
        } = self
        {
            let given = attempts.iter().any(|attempt| attempt.number == 0);
            return (!given).then(|| match repeated {
                true => "another model or a clearer task (the doc comment of the world) may help; `--trace FILE` keeps every prompt and answer".to_owned(),
                false => "raise `budget.attempts`, take another `--model`, or make the task clearer (the doc comment of the world); `--trace FILE` keeps every prompt and answer".to_owned(),
            });
        }
        if let Self::NoModel { name, .. } = self {
            return Some(format!(
                "add [models.{name}] with `provider = …`, or pass `--model openai:NAME`, `anthropic:NAME`, `gemini:NAME`, `ollama:NAME`, `command:PROGRAM`, `human` or `replay:DIR`"
            ));
        }
        self.explain()?.hint()
    }

    fn others(&self) -> Vec<&dyn Explain> {
        self.explain().map_or_else(Vec::new, Explain::others)
    }
}
