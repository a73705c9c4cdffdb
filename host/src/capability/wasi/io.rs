//! `wasi:io`, and the resources of all of WASI.

use std::sync::Arc;

use wasmtime::component::{LinkerInstance, Resource, ResourceTable, ResourceType};
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::cli::terminal_input::TerminalInput;
use wasmtime_wasi::p2::bindings::cli::terminal_output::TerminalOutput;
use wasmtime_wasi::p2::bindings::filesystem::types::DirectoryEntryStream;
use wasmtime_wasi::p2::bindings::io::error::HostError as _;
use wasmtime_wasi::p2::bindings::io::poll::{Host as _, HostPollable};
use wasmtime_wasi::p2::bindings::io::streams::{
    Host as _, HostInputStream as _, HostOutputStream as _, StreamError,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, DynPollable, IoError, StreamResult};

use super::{State, Wasi, served, unknown};
use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Running, Site};
use crate::capability::host::Host;
use crate::capability::outcome::Failure;

/// A resource of WASI, which wasmtime-wasi has a type for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `wasi:io/error.error`.
    Error,
    /// `wasi:io/poll.pollable`.
    Pollable,
    /// `wasi:io/streams.input-stream`.
    InputStream,
    /// `wasi:io/streams.output-stream`.
    OutputStream,
    /// `wasi:filesystem/types.descriptor`.
    Descriptor,
    /// `wasi:filesystem/types.directory-entry-stream`.
    DirectoryEntryStream,
    /// `wasi:cli/terminal-input.terminal-input`.
    TerminalInput,
    /// `wasi:cli/terminal-output.terminal-output`.
    TerminalOutput,
}

impl Kind {
    /// By its WIT name; no two interfaces of WASI that are served share one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "error" => Self::Error,
            "pollable" => Self::Pollable,
            "input-stream" => Self::InputStream,
            "output-stream" => Self::OutputStream,
            "descriptor" => Self::Descriptor,
            "directory-entry-stream" => Self::DirectoryEntryStream,
            "terminal-input" => Self::TerminalInput,
            "terminal-output" => Self::TerminalOutput,
            _ => return None,
        })
    }

    /// The type that handles of it have in the host.
    fn ty(self) -> ResourceType {
        match self {
            Self::Error => ResourceType::host::<IoError>(),
            Self::Pollable => ResourceType::host::<DynPollable>(),
            Self::InputStream => ResourceType::host::<DynInputStream>(),
            Self::OutputStream => ResourceType::host::<DynOutputStream>(),
            Self::Descriptor => ResourceType::host::<Descriptor>(),
            Self::DirectoryEntryStream => ResourceType::host::<DirectoryEntryStream>(),
            Self::TerminalInput => ResourceType::host::<TerminalInput>(),
            Self::TerminalOutput => ResourceType::host::<TerminalOutput>(),
        }
    }

    /// Takes a dropped handle out of the table. A read or write that is under way goes on to its end on its own
    /// thread; nobody waits for it.
    fn delete(self, table: &mut ResourceTable, at: u32) -> wasmtime::Result<()> {
        match self {
            Self::Error => table.delete(Resource::<IoError>::new_own(at)).map(drop)?,
            Self::Pollable => HostPollable::drop(table, Resource::<DynPollable>::new_own(at))?,
            Self::InputStream => table
                .delete(Resource::<DynInputStream>::new_own(at))
                .map(drop)?,
            Self::OutputStream => table
                .delete(Resource::<DynOutputStream>::new_own(at))
                .map(drop)?,
            Self::Descriptor => table
                .delete(Resource::<Descriptor>::new_own(at))
                .map(drop)?,
            Self::DirectoryEntryStream => table
                .delete(Resource::<DirectoryEntryStream>::new_own(at))
                .map(drop)?,
            Self::TerminalInput => table
                .delete(Resource::<TerminalInput>::new_own(at))
                .map(drop)?,
            Self::TerminalOutput => table
                .delete(Resource::<TerminalOutput>::new_own(at))
                .map(drop)?,
        }
        Ok(())
    }

    /// Defines the resource under `name`.
    pub(crate) fn define(
        self,
        target: &mut LinkerInstance<'_, Host>,
        site: Site,
        name: &str,
    ) -> Result<(), CapabilityError> {
        target.resource(name, self.ty(), move |mut store, at| {
            let host = store.data_mut();
            let Wasi(shared) = host.wasi.clone();
            let running = Running::enter(host, &site, 0, || vec![serde_json::json!(at)], Vec::new)?;
            // Free: the guest drops handles between its calls.
            let deleted = match shared.try_lock() {
                Ok(mut held) => match held.as_mut() {
                    Some(state) => self
                        .delete(&mut state.table, at)
                        .map_err(|error| state.failure(&error)),
                    None => Err(Failure::trap("a handle was dropped that was never given")),
                },
                Err(_) => Err(Failure::trap(
                    "a handle was dropped in the middle of a call",
                )),
            };
            match deleted {
                Ok(()) => running.leave(host, 0, || None),
                Err(failure) => Err(running.fail(host, failure)),
            }
        })?;
        Ok(())
    }
}

/// Defines a function of `wasi:io/error`.
pub(super) fn error(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    match name {
        "[method]error.to-debug-string" => {
            served!(target, site, |state, bounds| (this: Resource<IoError>) -> String {
                state.table.to_debug_string(this)
            })
        }
        _ => Err(unknown(&site)),
    }
}

/// Defines a function of `wasi:io/poll`.
pub(super) fn poll(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    match name {
        "[method]pollable.ready" => {
            served!(target, site, |state, bounds| (this: Resource<DynPollable>) -> bool {
                state.table.ready(this).await
            })
        }
        "[method]pollable.block" => {
            served!(target, site, |state, bounds| (this: Resource<DynPollable>) -> () {
                state.table.block(this).await
            })
        }
        "poll" => {
            served!(target, site, |state, bounds| (all: Vec<Resource<DynPollable>>) -> Vec<u32> {
                state.table.poll(all).await
            })
        }
        _ => Err(unknown(&site)),
    }
}

/// A stream's error as the guest sees it.
fn told<R>(state: &mut State, answer: StreamResult<R>) -> wasmtime::Result<Result<R, StreamError>> {
    match answer {
        Ok(value) => Ok(Ok(value)),
        Err(error) => Ok(Err(state.table.convert_stream_error(error)?)),
    }
}

/// Counts what is about to be written.
fn written(bytes: u64, bounds: &Bounds) -> wasmtime::Result<()> {
    bounds
        .write(bytes)
        .map_err(|hit| wasmtime::Error::new(Failure::from(hit)))
}

type Input = Resource<DynInputStream>;
type Output = Resource<DynOutputStream>;
type Answer<R> = Result<R, StreamError>;

/// Defines a function of `wasi:io/streams`. A read gives 64 KiB at most, whatever is asked for.
pub(super) fn streams(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    name: &str,
) -> Result<(), CapabilityError> {
    let Some((resource, method)) = name
        .strip_prefix("[method]")
        .and_then(|name| name.split_once('.'))
    else {
        return Err(unknown(&site));
    };
    match resource {
        "input-stream" => input(target, site, method),
        "output-stream" => output(target, site, method),
        _ => Err(unknown(&site)),
    }
}

fn input(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    method: &str,
) -> Result<(), CapabilityError> {
    match method {
        "read" => {
            served!(target, site, |state, bounds| (this: Input, len: u64) -> Answer<Vec<u8>> {
                let answer = state.table.read(this, len);
                told(state, answer)
            })
        }
        "blocking-read" => {
            served!(target, site, |state, bounds| (this: Input, len: u64) -> Answer<Vec<u8>> {
                let answer = state.table.blocking_read(this, len).await;
                told(state, answer)
            })
        }
        "skip" => served!(target, site, |state, bounds| (this: Input, len: u64) -> Answer<u64> {
            let answer = state.table.skip(this, len);
            told(state, answer)
        }),
        "blocking-skip" => {
            served!(target, site, |state, bounds| (this: Input, len: u64) -> Answer<u64> {
                let answer = state.table.blocking_skip(this, len).await;
                told(state, answer)
            })
        }
        "subscribe" => {
            served!(target, site, |state, bounds| (this: Input) -> Resource<DynPollable> {
                wasmtime_wasi::p2::subscribe(&mut state.table, this)
            })
        }
        _ => Err(unknown(&site)),
    }
}

fn output(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    method: &str,
) -> Result<(), CapabilityError> {
    match method {
        "check-write" => served!(target, site, |state, bounds| (this: Output) -> Answer<u64> {
            let answer = state.table.check_write(this);
            told(state, answer)
        }),
        "write" => {
            served!(target, site, |state, bounds| (this: Output, contents: Vec<u8>) -> Answer<()> {
                written(contents.len() as u64, bounds)?;
                let answer = state.table.write(this, contents);
                told(state, answer)
            })
        }
        "blocking-write-and-flush" => {
            served!(target, site, |state, bounds| (this: Output, contents: Vec<u8>) -> Answer<()> {
                written(contents.len() as u64, bounds)?;
                let answer = state.table.blocking_write_and_flush(this, contents).await;
                told(state, answer)
            })
        }
        "flush" => served!(target, site, |state, bounds| (this: Output) -> Answer<()> {
            let answer = state.table.flush(this);
            told(state, answer)
        }),
        "blocking-flush" => served!(target, site, |state, bounds| (this: Output) -> Answer<()> {
            let answer = state.table.blocking_flush(this).await;
            told(state, answer)
        }),
        "subscribe" => {
            served!(target, site, |state, bounds| (this: Output) -> Resource<DynPollable> {
                wasmtime_wasi::p2::subscribe(&mut state.table, this)
            })
        }
        "write-zeroes" => {
            served!(target, site, |state, bounds| (this: Output, len: u64) -> Answer<()> {
                written(len, bounds)?;
                let answer = state.table.write_zeroes(this, len);
                told(state, answer)
            })
        }
        "blocking-write-zeroes-and-flush" => {
            served!(target, site, |state, bounds| (this: Output, len: u64) -> Answer<()> {
                written(len, bounds)?;
                let answer = state.table.blocking_write_zeroes_and_flush(this, len).await;
                told(state, answer)
            })
        }
        "splice" => {
            served!(target, site, |state, bounds| (this: Output, src: Input, len: u64) -> Answer<u64> {
                let answer = state.table.splice(this, src, len);
                if let Ok(copied) = answer {
                    written(copied, bounds)?;
                }
                told(state, answer)
            })
        }
        "blocking-splice" => {
            served!(target, site, |state, bounds| (this: Output, src: Input, len: u64) -> Answer<u64> {
                let answer = state.table.blocking_splice(this, src, len).await;
                if let Ok(copied) = answer {
                    written(copied, bounds)?;
                }
                told(state, answer)
            })
        }
        _ => Err(unknown(&site)),
    }
}
