//! `provider = "wasi"`: which interfaces of WASI 0.2 can be granted, and with what.

use std::path::PathBuf;

use crate::error::Fault;
use crate::plan::manifest::GrantConfig;
use crate::plan::{Hole, Import, Plan};

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

/// The interface with this id, if it is one of WASI 0.2 that is served.
pub(super) fn of_id(id: &str) -> Option<WasiInterface> {
    let (path, version) = id.split_once('@')?;
    WasiInterface::named(path).filter(|_| is_0_2(version))
}

/// A released version: release candidates had other types.
fn is_0_2(version: &str) -> bool {
    version
        .strip_prefix("0.2.")
        .is_some_and(|patch| patch.parse::<u32>().is_ok())
}

/// Fits a grant to its import.
pub(super) fn resolve(
    plan: &Plan,
    hole: &Hole,
    import: &Import,
    config: &GrantConfig,
) -> Result<WasiGrant, Fault> {
    let id = import.interface.and_then(|id| plan.resolve.id_of(id));
    let id = id.as_deref().unwrap_or(&import.name);
    let (path, version) = id.split_once('@').unwrap_or((id, ""));
    let place = config.place_of("provider");
    let Some(interface) = WasiInterface::named(path) else {
        return Err(not_served(path).at(place));
    };
    if !is_0_2(version) {
        return Err(Fault::new(format!(
            "`{id}` is not of WASI 0.2, which is what the provider `wasi` serves"
        ))
        .at(place)
        .hint(format!("import `{path}@0.2.3`, or any other version 0.2")));
    }
    // The hole of a component's own grants has a place in lacuna.toml as its name, which no world can have.
    let of_component = hole.name.contains('.');
    if interface == WasiInterface::Cli && !of_component {
        return Err(Fault::new(format!(
            "`{path}` can be granted to a component that serves as a tool, and to no hole"
        ))
        .at(place)
        .hint("a hole has its parameters, its result and `println!`"));
    }
    if interface != WasiInterface::Preopens {
        for key in ["preopen", "write"] {
            if config.given.iter().any(|(given, _)| *given == key) {
                return Err(Fault::new(format!("`{key}` does not belong to `{path}`"))
                    .at(config.place_of(key))
                    .hint("write it in the grant of `wasi:filesystem/preopens`, which gives out the folder"));
            }
        }
    }
    let preopen = match &config.preopen {
        None => None,
        Some(folder) => Some(super::provider::folder_of(plan, folder)?),
    };
    Ok(WasiGrant {
        interface,
        preopen,
        write: config.write.as_ref().is_some_and(|write| write.value),
    })
}

/// Why an interface is not served, and what is.
fn not_served(path: &str) -> Fault {
    const SERVED: &str = "it serves `wasi:clocks`, `wasi:random`, `wasi:filesystem` and `wasi:io`, and to components `wasi:cli`";
    if !path.starts_with("wasi:") {
        return Fault::new(format!("`{path}` is no interface of WASI")).hint(SERVED);
    }
    let fault = Fault::new(format!("`{path}` is not served by the provider `wasi`"));
    match path.split('/').next() {
        Some("wasi:sockets" | "wasi:http") => fault.hint(
            "there is no network by WASI: import `lacuna:http`, whose grant names the origins that can be reached",
        ),
        _ => fault.hint(SERVED),
    }
}
