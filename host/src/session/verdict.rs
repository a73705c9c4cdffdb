//! The verdict on a snippet as other programs read it (CONTRACTS section 2).

use serde::Serialize;

use crate::diagnostic::{Cause, Diagnostic, Fix, Rejection, Stage};
use crate::link::{LinkedComponent, UsedImport};

/// A verdict; serialises as `check --format json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Version of this form.
    pub schema: u32,
    /// The hole.
    pub hole: String,
    /// `accepted` or `rejected`.
    pub verdict: &'static str,
    /// Where it was rejected; null when accepted.
    pub stage: Option<Stage>,
    /// What is wrong, or warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// Diagnostics left out by the caps.
    pub omitted: u64,
    /// Fixes applied before judging.
    pub repaired: Vec<Fix>,
    /// What the component imports.
    pub imports: Vec<UsedImport>,
    /// What it exports.
    pub exports: Vec<String>,
    /// What binds the verdict to its subject.
    pub hash: Hashes,
    /// Milliseconds spent.
    pub millis: Millis,
}

/// Hashes of a verdict.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Hashes {
    /// Of the extracted snippet; of the whole answer when no snippet was found in it.
    pub snippet: String,
    /// Of the scope.
    pub scope: String,
    /// Of the component; null when rejected.
    pub component: Option<String>,
    /// The compiler, `rustc 1.95.0 (…)`.
    pub toolchain: String,
}

/// Milliseconds of a verdict.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Millis {
    /// rustc and its linker.
    pub compile: u64,
    /// Encoding and checking the component.
    pub link: u64,
}

impl Verdict {
    /// Whether the snippet may run.
    pub fn accepted(&self) -> bool {
        self.stage.is_none()
    }

    /// What kind of mistake it is, when it is a rejection.
    pub fn cause(&self) -> Option<Cause> {
        self.stage.map(|stage| Cause::of(stage, &self.diagnostics))
    }

    pub(crate) fn of_component(hole: &str, component: &LinkedComponent, toolchain: &str) -> Self {
        Self {
            schema: 1,
            hole: hole.to_owned(),
            verdict: "accepted",
            stage: None,
            diagnostics: component.warnings.clone(),
            omitted: 0,
            repaired: component.repaired.clone(),
            imports: component.imports.clone(),
            exports: component.exports.clone(),
            hash: Hashes {
                snippet: component.snippet.hash.clone(),
                scope: component.scope.clone(),
                component: Some(component.hash.clone()),
                toolchain: toolchain.to_owned(),
            },
            millis: Millis {
                compile: component.compile_millis,
                link: component.link_millis,
            },
        }
    }

    pub(crate) fn of_rejection(
        hole: &str,
        rejection: &Rejection,
        snippet_hash: String,
        scope_hash: &str,
        toolchain: &str,
    ) -> Self {
        Self {
            schema: 1,
            hole: hole.to_owned(),
            verdict: "rejected",
            stage: Some(rejection.stage),
            diagnostics: rejection.diagnostics.clone(),
            omitted: rejection.omitted,
            repaired: rejection.repaired.clone(),
            imports: Vec::new(),
            exports: Vec::new(),
            hash: Hashes {
                snippet: snippet_hash,
                scope: scope_hash.to_owned(),
                component: None,
                toolchain: toolchain.to_owned(),
            },
            millis: Millis {
                compile: rejection.millis,
                link: 0,
            },
        }
    }
}
