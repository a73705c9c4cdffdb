//! A hole between its `hole-start` and its `hole-end` in the trace.

use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::{Error, Hole, Progress, outcome};
use crate::scope::Scope;

/// A hole that has been started. The bench that judges for it, its fill and its instances share it; when the last of
/// them is gone, the hole has ended, in whichever way: the last call returned, no snippet was accepted, the session was
/// interrupted.
pub(super) struct Started {
    hole: Hole,
    outcome: Mutex<&'static str>,
}

impl Started {
    /// Writes `hole-start`.
    pub(super) fn new(hole: &Hole, scope: &Scope) -> Self {
        let trace = hole.session().trace();
        if trace.enabled() {
            trace.emit("hole-start", Some(hole.at(None)), description(hole, scope));
        }
        Self {
            hole: hole.clone(),
            outcome: Mutex::new("cancelled"),
        }
    }

    /// From here on something is under way; if it is never heard of again, it was cancelled.
    pub(super) fn busy(&self) {
        self.set("cancelled");
    }

    /// What came of it, until something else does.
    pub(super) fn set(&self, outcome: &'static str) {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = outcome;
    }

    /// See [`Started::set`]. A part of the budget that is used up is a limit that was met.
    pub(super) fn failed(&self, error: &Error) {
        if let Error::Budget { source, .. } = error {
            let (at, used) = (outcome::number(source.at), outcome::number(source.used));
            self.hole.session().trace().emit(
                "limit",
                Some(self.hole.at(None)),
                json!({ "name": source.name, "of": "budget", "at": at, "used": used }),
            );
        }
        self.set(outcome::name(error));
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let session = self.hole.session();
        let path = self.hole.path();
        self.hole
            .lacuna()
            .watch()
            .progress(&Progress::Ended { path });
        if !session.trace().enabled() {
            return;
        }
        let outcome = *self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        let spent = serde_json::to_value(session.budget().spent()).unwrap_or_default();
        session.trace().emit(
            "hole-end",
            Some(self.hole.at(None)),
            json!({ "outcome": outcome, "spent": spent }),
        );
    }
}

fn description(hole: &Hole, scope: &Scope) -> serde_json::Value {
    let grants: Vec<_> = scope
        .imports
        .iter()
        // An interface that lends only its types gives no authority.
        .filter(|import| !import.functions.is_empty())
        .map(|import| {
            let functions: Vec<_> = import.functions.iter().map(|function| &function.wit).collect();
            json!({ "import": import.import_name, "interface": import.interface, "functions": functions, "implicit": import.implicit })
        })
        .collect();
    let signatures: Vec<_> = scope
        .exports
        .iter()
        .flat_map(|export| export.functions.iter().map(|function| &function.signature))
        .collect();
    json!({ "type": signatures, "scope": scope.hash, "grants": grants, "limits": hole.limits().by_key() })
}
