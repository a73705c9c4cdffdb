//! Prompt: what the model is told. A pure function of scope and history.

use crate::diagnostic::Diagnostic;

/// One prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// The whole text.
    pub text: String,
    /// Length in bytes of the head, which is the same for every hole.
    pub head: usize,
}

/// An attempt that was rejected.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The snippet, or the whole answer when no snippet was found in it.
    pub snippet: String,
    /// Why it was rejected.
    pub diagnostics: Vec<Diagnostic>,
}

// Interface: pub fn render(scope: &Scope, history: &[Attempt]) -> Prompt;
