//! How a call can fail, and what is told of the host calls it made.

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value as Json;

use super::approval::{Decision, Request};
use super::host::Host;
use crate::labels::Labels;

/// Why a call gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of end it was.
    pub kind: FailureKind,
    /// One sentence for people; the panic text comes first when there is one.
    pub message: String,
    /// The rule of a grant that a call would have broken: `bank.send-money: payee: one-of`.
    pub rule: Option<String>,
}

impl Failure {
    /// The limit that was reached, when that was the end.
    pub fn limit(&self) -> Option<LimitHit> {
        match self.kind {
            FailureKind::Limit { name, at, used } => Some(LimitHit { name, at, used }),
            _ => None,
        }
    }

    /// The word for the outcome (CONTRACTS section 2): `limit` or `trap`.
    pub fn outcome(&self) -> &'static str {
        match self.kind {
            FailureKind::Limit { .. } => "limit",
            FailureKind::Trap
            | FailureKind::Call
            | FailureKind::Gone
            | FailureKind::Rule
            | FailureKind::Approval => "trap",
        }
    }

    /// A trap.
    pub(crate) fn trap(message: impl Into<String>) -> Self {
        Self {
            kind: FailureKind::Trap,
            message: message.into(),
            rule: None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl crate::error::Explain for Failure {
    fn hint(&self) -> Option<String> {
        if self.kind == FailureKind::Rule
            && self
                .rule
                .as_ref()
                .is_some_and(|rule| rule.ends_with(": sends"))
        {
            return Some(
                "if this may get out, give that grant `clearance = [\"private\"]`; if the function sends nothing, say so with \
                 `sends`; if what came in was not private, with `labels` where it came from"
                    .to_owned(),
            );
        }
        let limit = self.limit()?;
        if limit.name == "calls" {
            return Some("raise `calls` in the grant, if this is wanted".to_owned());
        }
        Some(format!(
            "raise `{}` in [limits], or in [hole.NAME.limits] if it is set there, if this is wanted",
            limit.name
        ))
    }
}

impl From<LimitHit> for Failure {
    fn from(hit: LimitHit) -> Self {
        Self {
            rule: None,
            message: hit.to_string(),
            kind: FailureKind::Limit {
                name: hit.name,
                at: hit.at,
                used: hit.used,
            },
        }
    }
}

/// What kind of end a failed call had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// The guest trapped: a panic, an arithmetic fault, a forged handle, a missing stub answer.
    Trap,
    /// A limit was reached.
    Limit {
        /// Key of `[limits]`.
        name: &'static str,
        /// Its value; times in milliseconds.
        at: u64,
        /// What was used or asked for when it was reached, in the same unit. Where the engine stops before it knows
        /// the whole demand (`stack`, text that a guest passes), this is the least that was asked for.
        used: u64,
    },
    /// A granted function was called with arguments, or under labels, that a rule of its grant does not allow. The call
    /// was not made.
    Rule,
    /// A call that can't be undone was not approved, and not made.
    Approval,
    /// The call itself was wrong: no such export, or arguments of another type. Nothing ran.
    Call,
    /// An earlier call of this instance failed or was cancelled, so the instance is gone.
    Gone,
}

/// A call that was made and can't be undone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sent {
    /// Label of the import.
    pub import: String,
    /// WIT name of the function.
    pub function: String,
    /// Its arguments, whole, in the JSON of CONTRACTS section 2; none when there are too many to be kept (`cut`).
    pub arguments: Vec<Json>,
    /// Whether the arguments are left out: those of all calls together are kept up to 1 MiB.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("limit `{name}` reached: {used} of {at}{}", unit(name))]
pub struct LimitHit {
    /// Key of `[limits]`.
    pub name: &'static str,
    /// Its value; times in milliseconds.
    pub at: u64,
    /// What was used or asked for, in the same unit.
    pub used: u64,
}

/// What a limit's numbers count, with a leading blank.
fn unit(name: &str) -> &'static str {
    match name {
        "fuel" => " units",
        "wall" | "host-call-wall" => " ms",
        "tables" => " elements",
        "host-calls" | "calls" => " calls",
        "handles" => " handles",
        "entries" => " entries",
        _ => " bytes",
    }
}

/// wasmtime's words where it has no type for the error. A test sees to it that a new version still says them.
const TOO_MANY_HANDLES: &str = "store handle limit exceeded";

/// Whether the engine could not make another handle.
pub(crate) fn is_handle_limit(error: &wasmtime::Error) -> bool {
    error.root_cause().to_string().contains(TOO_MANY_HANDLES)
}

/// What an error in making the handles of an answer means.
pub(crate) fn of_handles(host: &Host, error: &wasmtime::Error) -> Failure {
    match error.downcast_ref::<Failure>() {
        Some(failure) => failure.clone(),
        None if is_handle_limit(error) => handle_limit(host.limits.handles),
        None => Failure::trap(error.root_cause().to_string()),
    }
}

/// The limit `handles` was reached: one more was asked for.
pub(crate) fn handle_limit(at: u64) -> Failure {
    LimitHit {
        name: "handles",
        at,
        used: at.saturating_add(1),
    }
    .into()
}

/// Hears of what a running guest does with its imports (for the trace).
pub trait Observer: Send + Sync {
    /// A host call ended. Called before a limit that it met ends the guest.
    fn host_call(&self, _event: HostCall<'_>) {}

    /// A line was printed. Control characters are as the guest wrote them: escape them before they reach a terminal.
    /// `labels` are the instance's, so what the line may hold.
    fn log(&self, _line: &str, _labels: Labels) {}

    /// Somebody was asked whether a call that can't be undone may be made. `labels` are what its arguments may hold.
    fn approval(&self, _request: &Request, _decision: &Decision, _labels: Labels) {}

    /// A call was refused because of the labels of what the instance has been given. `rule` names function and reason.
    fn flow(&self, _rule: &str, _labels: Labels) {}

    /// Whether [`Observer::host_call`] does anything; `false` saves writing arguments and results as JSON.
    fn wants_calls(&self) -> bool {
        true
    }
}

/// An observer that hears nothing.
impl Observer for () {
    fn wants_calls(&self) -> bool {
        false
    }
}

/// One host call that ended.
#[derive(Clone, Copy, Debug)]
pub struct HostCall<'a> {
    /// Label of the import.
    pub import: &'a str,
    /// WIT name of the function; `[drop]file` when a handle was dropped.
    pub function: &'a str,
    /// Arguments in the JSON of CONTRACTS section 2; what is longer than the trace holds is cut, with size and hash.
    pub arguments: &'a [Json],
    /// The result, or why the call ended the guest.
    pub result: Result<Option<&'a Json>, &'a str>,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether it can't be undone.
    pub irreversible: bool,
    /// What the arguments may hold: all labels of the instance before the call.
    pub labels: Labels,
    /// What the result may hold.
    pub result_labels: Labels,
}
