//! Components that our own rustc did not make: the engine's settings for the child that compiles them, and its result.

use std::io::Read;
use std::path::Path;

use wasmtime::component::Component;
use wasmtime::{Engine, Precompiled};

use super::cache;
use super::engine::{self, Settings};
use crate::compile::foreign::{self, ForeignError, Order};
use crate::grant::ComponentGrant;

/// How foreign wasm is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiling {
    /// The `lacuna` program; found where it is usual if absent.
    pub(crate) program: Option<std::path::PathBuf>,
    /// Whether it may run unconfined where this machine cannot confine it.
    pub(crate) unconfined: bool,
}

/// Compiled code of a granted component, from the cache or from a child that can be killed.
pub(super) async fn compile(
    engine: &Engine,
    how: &Compiling,
    grant: &ComponentGrant,
    cache: Option<&Path>,
) -> Result<Component, ForeignError> {
    let temporary;
    let folder = match cache {
        Some(cache) => cache,
        None => {
            temporary =
                tempfile::tempdir().map_err(|error| ForeignError::Machine(error.to_string()))?;
            temporary.path()
        }
    };
    let wasm = &grant.wasm;
    if let Some(component) = cache::find(engine, folder, wasm) {
        return Ok(component);
    }
    let order = Order {
        program: how.program.as_deref(),
        settings: Settings::with_stack(grant.run.stack).arguments(),
        cache: folder,
        limits: &grant.compile,
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
