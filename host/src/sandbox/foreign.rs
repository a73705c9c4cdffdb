//! Components that our own rustc did not make: the engine's settings for the child that compiles them, and its result.

use std::io::Read;
use std::path::Path;

use wasmtime::component::Component;
use wasmtime::{Engine, Precompiled};

use super::engine::{self, Settings};
use super::{SandboxError, cache};
use crate::budget::ComponentLimits;
pub use crate::compile::foreign::ForeignError;
use crate::compile::foreign::{self, Order};

/// How foreign wasm is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiling {
    /// The `lacuna` program; found where it is usual if absent.
    pub(crate) program: Option<std::path::PathBuf>,
    /// Whether it may run unconfined where this machine cannot confine it.
    pub(crate) unconfined: bool,
}

/// Compiled code of a component, from the cache or from a child that can be killed.
pub(super) async fn compile(
    engine: &Engine,
    settings: Settings,
    how: &Compiling,
    wasm: &[u8],
    limits: &ComponentLimits,
    folder: &Path,
) -> Result<Component, ForeignError> {
    if let Some(component) = cache::find(engine, folder, wasm) {
        return Ok(component);
    }
    let order = Order {
        program: how.program.as_deref(),
        settings: settings.arguments(),
        cache: folder,
        limits,
        unconfined: how.unconfined,
    };
    let code = foreign::compile(order, wasm.to_vec()).await?;
    if Engine::detect_precompiled(&code) != Some(Precompiled::Component) {
        return Err(ForeignError::Machine(
            "the program wrote no compiled component".to_owned(),
        ));
    }
    let component = cache::accept(engine, &code).map_err(|reason| {
        ForeignError::Machine(format!(
            "the program that compiled it is not of this version: {reason}"
        ))
    })?;
    cache::keep(engine, folder, wasm, &code);
    Ok(component)
}

/// Compiles standard input as the arguments of a child say, and writes the code into the current folder. Its error is
/// one line.
pub(crate) fn child(arguments: &[String], input: impl Read) -> Result<Vec<u8>, String> {
    let settings = Settings::of_arguments(arguments).ok_or("the settings are not understood")?;
    let mut wasm = Vec::new();
    input
        .take(foreign::LARGEST_INPUT)
        .read_to_end(&mut wasm)
        .map_err(|error| format!("cannot read the component: {error}"))?;
    let config = engine::config(settings);
    let engine =
        Engine::new(&config).map_err(|error| format!("cannot set up the engine: {error:#}"))?;
    engine.precompile_component(&wasm).map_err(|error| {
        let reason = format!("{error:#}");
        format!(
            "{}{}",
            foreign::REFUSED,
            reason.lines().collect::<Vec<_>>().join(" ")
        )
    })
}

impl From<ForeignError> for SandboxError {
    fn from(error: ForeignError) -> Self {
        Self::Foreign(error)
    }
}
