//! `wasi:cli`, empty: what a component of the usual toolchains imports although it only calculates. There are no
//! variables, no arguments and no folder to start in, standard input is at its end, and what is written is dropped.

use std::sync::Arc;

use wasmtime::component::{LinkerInstance, Resource};
use wasmtime_wasi::p2::bindings::cli::terminal_input::TerminalInput;
use wasmtime_wasi::p2::bindings::cli::terminal_output::TerminalOutput;
use wasmtime_wasi::p2::pipe::{ClosedInputStream, SinkOutputStream};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream};

use super::{served, unknown};
use crate::capability::CapabilityError;
use crate::capability::call::Site;
use crate::capability::host::Host;
use crate::capability::outcome::Failure;

/// Defines a function of `wasi:cli`; no two of its interfaces share a name.
pub(super) fn functions(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    match name {
        "get-environment" => {
            served!(target, site, |state, bounds| () -> Vec<(String, String)> { Ok(Vec::new()) })
        }
        "get-arguments" => {
            served!(target, site, |state, bounds| () -> Vec<String> { Ok(Vec::new()) })
        }
        "initial-cwd" => {
            served!(target, site, |state, bounds| () -> Option<String> { Ok(None) })
        }
        "exit" => served!(target, site, |state, bounds| (status: Result<(), ()>) -> () {
            let status = if status.is_ok() { "success" } else { "failure" };
            Err(wasmtime::Error::new(Failure::trap(format!("it exited with {status}"))))
        }),
        "exit-with-code" => served!(target, site, |state, bounds| (status: u8) -> () {
            Err(wasmtime::Error::new(Failure::trap(format!("it exited with status {status}"))))
        }),
        "get-stdin" => served!(target, site, |state, bounds| () -> Resource<DynInputStream> {
            let stream: DynInputStream = Box::new(ClosedInputStream);
            Ok(state.table.push(stream)?)
        }),
        "get-stdout" | "get-stderr" => {
            served!(target, site, |state, bounds| () -> Resource<DynOutputStream> {
                let stream: DynOutputStream = Box::new(SinkOutputStream);
                Ok(state.table.push(stream)?)
            })
        }
        "get-terminal-stdin" => {
            served!(target, site, |state, bounds| () -> Option<Resource<TerminalInput>> { Ok(None) })
        }
        "get-terminal-stdout" | "get-terminal-stderr" => {
            served!(target, site, |state, bounds| () -> Option<Resource<TerminalOutput>> {
                Ok(None)
            })
        }
        _ => Err(unknown(&site)),
    }
}
