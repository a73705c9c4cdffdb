//! Compile: judges a snippet with a confined rustc. Starts processes, writes only its own work folder.

use crate::diagnostic::{Diagnostic, Fix, Rejection};
use crate::snippet::Snippet;

/// What came of a snippet.
#[derive(Debug)]
pub enum Judged {
    /// It compiled and linked to a core module.
    Accepted(CoreModule),
    /// It did not.
    Rejected(Rejection),
}

/// A core module that only `compile` can make.
#[derive(Debug)]
pub struct CoreModule {
    pub(crate) wasm: Vec<u8>,
    pub(crate) snippet: Snippet,
    pub(crate) repaired: Vec<Fix>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) millis: u64,
}

// Interface that session uses (compile implements it):
//
// impl Compiler {
//     /// Fails when this machine cannot confine a compiler and `unconfined` is false.
//     pub fn new(toolchain: Arc<Toolchain>, cache: PathBuf, unconfined: bool) -> Result<Self, CompileError>;
//     /// Compiles the scope's bindings (cached by scope hash). Not charged to a snippet.
//     pub async fn prepare(&self, scope: &Scope) -> Result<PreparedScope, CompileError>;
//     /// Judges one snippet. `CompileError` is a fault of this machine, never of the snippet.
//     pub async fn judge(&self, scope: &Scope, prepared: &PreparedScope, snippet: &Snippet, limits: &CompileLimits) -> Result<Judged, CompileError>;
// }
