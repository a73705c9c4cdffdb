//! `provider = "wasi"`: which interfaces of WASI 0.2 can be granted, and with what.

use std::path::PathBuf;

/// One interface of WASI 0.2.
#[derive(Clone, Debug)]
pub struct WasiGrant {
    /// Which one.
    pub interface: WasiInterface,
    /// `preopen`: canonical path of the folder that `wasi:filesystem/preopens` gives out as `/`; it exists. None: it
    /// gives out nothing.
    pub preopen: Option<PathBuf>,
    /// `write`: whether files below it may be changed.
    pub write: bool,
}

/// The interfaces that are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WasiInterface {
    /// `wasi:clocks/wall-clock`.
    WallClock,
    /// `wasi:clocks/monotonic-clock`.
    MonotonicClock,
    /// `wasi:random/random`.
    Random,
    /// `wasi:random/insecure`.
    Insecure,
    /// `wasi:random/insecure-seed`.
    InsecureSeed,
    /// `wasi:io/error`.
    Error,
    /// `wasi:io/poll`.
    Poll,
    /// `wasi:io/streams`.
    Streams,
    /// `wasi:filesystem/preopens`.
    Preopens,
    /// `wasi:filesystem/types`.
    Types,
    /// An interface of `wasi:cli`, empty: no variables, no arguments, closed standard streams.
    Cli,
}

impl WasiInterface {
    /// The interface with this id, without its version.
    pub(crate) fn named(id: &str) -> Option<Self> {
        Some(match id {
            "wasi:clocks/wall-clock" => Self::WallClock,
            "wasi:clocks/monotonic-clock" => Self::MonotonicClock,
            "wasi:random/random" => Self::Random,
            "wasi:random/insecure" => Self::Insecure,
            "wasi:random/insecure-seed" => Self::InsecureSeed,
            "wasi:io/error" => Self::Error,
            "wasi:io/poll" => Self::Poll,
            "wasi:io/streams" => Self::Streams,
            "wasi:filesystem/preopens" => Self::Preopens,
            "wasi:filesystem/types" => Self::Types,
            "wasi:cli/environment"
            | "wasi:cli/exit"
            | "wasi:cli/stdin"
            | "wasi:cli/stdout"
            | "wasi:cli/stderr"
            | "wasi:cli/terminal-input"
            | "wasi:cli/terminal-output"
            | "wasi:cli/terminal-stdin"
            | "wasi:cli/terminal-stdout"
            | "wasi:cli/terminal-stderr" => Self::Cli,
            _ => return None,
        })
    }
}
