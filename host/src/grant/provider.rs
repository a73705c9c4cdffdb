//! Who serves an import, from the keys of its grant.
#![expect(
    clippy::disallowed_methods,
    reason = "looks at the paths that grants name"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::keys::CONSOLE;
use super::{
    ClockGrant, FolderGrant, Provider, RandomGrant, StubGrant, TextInterface, WasiInterface,
    component, http, stores, tools, wasi,
};
use crate::error::Fault;
use crate::plan::manifest::keys::{Table, is_built_in};
use crate::plan::manifest::{GrantConfig, Spanned};
use crate::plan::object::parse_object;
use crate::plan::{Hole, Import, Plan};

/// `max-file` when the grant does not say: 16 MiB.
const MAX_FILE: u64 = 16 << 20;

/// Largest answers file of a stub, bytes.
const MAX_ANSWERS: u64 = 64 << 20;

/// What an import is, before its grant is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing to call.
    Types,
    /// The console.
    Console,
    /// `lacuna:fs/read`, `lacuna:fs/write`.
    Folder,
    /// `lacuna:clock/wall`.
    Wall,
    /// `lacuna:clock/monotonic`.
    Monotonic,
    /// `lacuna:clock/calendar`: no authority.
    Calendar,
    /// `lacuna:random/random`.
    Random,
    /// `lacuna:text/…`: no authority.
    Text(TextInterface),
    /// `lacuna:kv/read`, `lacuna:kv/write`.
    Kv,
    /// `lacuna:sql/read`, or `lacuna:sql/write` (`true`).
    Sql(bool),
    /// `lacuna:http/http`.
    Http,
    /// A tool of the plan: the manifest says who serves it.
    Tool,
}

/// What an import is. In WIT a `use` brings in the whole interface; here it gives the types alone, unless the manifest
/// grants its functions (`granted`).
pub(super) fn kind(plan: &Plan, import: &Import, granted: bool) -> Kind {
    if import.functions.is_empty() || !(import.explicit || granted) {
        return Kind::Types;
    }
    let id = import.interface.and_then(|id| plan.resolve.id_of(id));
    match id.as_deref().and_then(|id| id.split('@').next()) {
        Some(CONSOLE) => Kind::Console,
        Some("lacuna:fs/read" | "lacuna:fs/write") => Kind::Folder,
        Some("lacuna:clock/wall") => Kind::Wall,
        Some("lacuna:clock/monotonic") => Kind::Monotonic,
        Some("lacuna:clock/calendar") => Kind::Calendar,
        Some("lacuna:random/random") => Kind::Random,
        Some("lacuna:kv/read" | "lacuna:kv/write") => Kind::Kv,
        Some("lacuna:sql/read") => Kind::Sql(false),
        Some("lacuna:sql/write") => Kind::Sql(true),
        Some("lacuna:text/regex") => Kind::Text(TextInterface::Regex),
        Some("lacuna:text/json") => Kind::Text(TextInterface::Json),
        Some("lacuna:text/csv") => Kind::Text(TextInterface::Csv),
        Some("lacuna:text/encoding") => Kind::Text(TextInterface::Encoding),
        Some("lacuna:http/http") => Kind::Http,
        Some("lacuna:text/url") => Kind::Text(TextInterface::Url),
        _ => Kind::Tool,
    }
}

/// What to write when an import has no grant.
pub(super) fn missing(plan: &Plan, hole: &Hole, import: &Import, kind: Kind) -> Fault {
    let unique = hole
        .imports
        .iter()
        .filter(|other| other.explicit && other.label == import.label)
        .count()
        == 1;
    let key = if unique {
        import.label.clone()
    } else {
        format!("\"{}\"", import.name)
    };
    let id = import.interface.and_then(|id| plan.resolve.id_of(id));
    let wasi = id.as_deref().and_then(wasi::of_id);
    let lines = match kind {
        Kind::Tool if wasi == Some(WasiInterface::Preopens) => {
            "\nprovider = \"wasi\"\npreopen = \"FOLDER\""
        }
        Kind::Tool if wasi.is_some() => "\nprovider = \"wasi\"",
        Kind::Folder => "\npath = \"FOLDER\"",
        Kind::Kv => "\nfile = \"FILE\"",
        Kind::Sql(false) => "\nfile = \"FILE\"\ntables = [\"TABLE\"]",
        Kind::Sql(true) => "\nfile = \"FILE\"\ntables = [\"TABLE\"]\nwrite = true",
        Kind::Http => "\norigins = [\"https://HOST\"]",
        // The table alone is the grant.
        Kind::Wall | Kind::Monotonic | Kind::Random => "",
        _ => "\nprovider = \"stub\"\nanswers = \"FILE.json\"",
    };
    Fault::new(format!(
        "the hole `{}` imports `{}`, and nothing grants it",
        hole.name, import.name
    ))
    .at(import.place.clone())
    .hint(format!(
        "add to lacuna.toml:\n[hole.{}.grant.{key}]{lines}",
        hole.name
    ))
}

/// The provider that a grant names.
pub(super) fn choose(
    plan: &Plan,
    hole: &Hole,
    import: &Import,
    kind: Kind,
    config: &GrantConfig,
) -> Result<Provider, Fault> {
    if let Some(provider) = &config.provider {
        only(config, &provider.value)?;
        return match provider.value.as_str() {
            "stub" => stub(plan, config),
            "component" => component::resolve(plan, hole, import, config)
                .map(|grant| Provider::Component(Arc::new(grant))),
            "wasi" => wasi::resolve(plan, hole, import, config).map(Provider::Wasi),
            "json-http" => tools::json_http(config).map(Provider::JsonHttp),
            "command" => tools::command(&plan.folder, config).map(Provider::Command),
            _ => Ok(Provider::Host),
        };
    }
    match kind {
        Kind::Folder => {
            only(config, "lacuna:fs")?;
            folder(plan, config)
        }
        Kind::Wall => {
            only(config, "lacuna:clock")?;
            Ok(Provider::Wall(clock(config)?))
        }
        Kind::Monotonic => {
            only(config, "lacuna:clock")?;
            Ok(Provider::Monotonic(clock(config)?))
        }
        Kind::Calendar => {
            only(config, "lacuna:clock/calendar")?;
            Ok(Provider::Calendar)
        }
        Kind::Random => {
            only(config, "lacuna:random")?;
            Ok(Provider::Random(RandomGrant {
                seed: config.seed.as_ref().map(|seed| seed.value),
                hole: hole.name.clone(),
            }))
        }
        Kind::Kv => {
            only(config, "lacuna:kv")?;
            stores::kv(&plan.folder, config)
        }
        Kind::Sql(writes) => {
            only(config, "lacuna:sql")?;
            stores::sql(&plan.folder, import, config, writes)
        }
        Kind::Text(interface) => {
            only(config, "lacuna:text")?;
            Ok(Provider::Text(interface))
        }
        Kind::Http => {
            only(config, "lacuna:http")?;
            Ok(Provider::Http(http::resolve(config)?))
        }
        Kind::Types | Kind::Console | Kind::Tool => Err(Fault::new(format!("the grant of `{}` needs a `provider`", import.name))
            .at(config.place.clone())
            .hint("say who serves it: `json-http` with `url`, `command` with `argv`, `component` with `file`, or `stub` with `answers`")),
    }
}

/// Refuses the keys that belong to other providers: a key that does nothing is a mistake of the author.
fn only(config: &GrantConfig, owner: &str) -> Result<(), Fault> {
    let words = match is_built_in(owner) {
        true => format!("`{owner}`"),
        false => format!("the provider `{owner}`"),
    };
    let belongs = |name: &str| {
        let mut keys = Table::Grant.keys();
        keys.any(|key| {
            key.name == name && (key.providers.is_empty() || key.providers.contains(&owner))
        })
    };
    let faults = config
        .given
        .iter()
        .filter(|(key, _)| !belongs(key))
        .map(|(key, place)| {
            let fault = Fault::new(format!("`{key}` does not belong to {words}"));
            fault.at(place.clone()).hint("remove it")
        });
    match Fault::several(faults.collect()) {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

fn clock(config: &GrantConfig) -> Result<ClockGrant, Fault> {
    let Some(fixed) = &config.fixed else {
        return Ok(ClockGrant { fixed: None });
    };
    match fixed.value.parse() {
        Ok(time) => Ok(ClockGrant { fixed: Some(time) }),
        Err(error) => Err(
            Fault::new(format!("`fixed`: \"{}\" is no time: {error}", fixed.value))
                .at(fixed.place.clone())
                .hint("write it as \"2026-01-02T03:04:05Z\""),
        ),
    }
}

fn folder(plan: &Plan, config: &GrantConfig) -> Result<Provider, Fault> {
    let Some(path) = &config.path else {
        return Err(Fault::new("a folder grant needs `path`")
            .at(config.place.clone())
            .hint("write `path = \"FOLDER\"`, relative to the folder of lacuna.toml"));
    };
    Ok(Provider::Folder(FolderGrant {
        root: folder_of(plan, path)?,
        max_file: config.max_file.as_ref().map_or(MAX_FILE, |size| size.value),
    }))
}

/// The canonical path of a granted folder.
pub(super) fn folder_of(plan: &Plan, path: &Spanned<String>) -> Result<PathBuf, Fault> {
    let full = plan.folder.join(&path.value);
    let fault = |reason: &str| {
        Err(
            Fault::new(format!("the granted folder `{}` {reason}", full.display()))
                .at(path.place.clone()),
        )
    };
    let root = match full.canonicalize() {
        Ok(root) => root,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return fault("does not exist");
        }
        Err(error) => return fault(&format!("cannot be opened: {error}")),
    };
    if !root.is_dir() {
        return fault("is no folder");
    }
    Ok(root)
}

fn stub(plan: &Plan, config: &GrantConfig) -> Result<Provider, Fault> {
    let Some(answers) = &config.answers else {
        return Err(Fault::new("the provider `stub` needs `answers`")
            .at(config.place.clone())
            .hint("write `answers = \"FILE.json\"`, an object with a member for each function"));
    };
    let file = plan.folder.join(&answers.value);
    let bytes = read(&file).map_err(|reason| {
        Fault::new(format!(
            "cannot read the answers `{}`: {reason}",
            file.display()
        ))
        .at(answers.place.clone())
    })?;
    let answers = parse_object(&file.display().to_string(), &bytes).map_err(|fault| {
        if fault.place.is_some() {
            fault
        } else {
            fault.at(answers.place.clone())
        }
    })?;
    Ok(Provider::Stub(StubGrant {
        file,
        answers: Arc::new(answers),
    }))
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    let words = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        _ => error.to_string(),
    };
    let metadata = std::fs::metadata(file).map_err(words)?;
    if !metadata.is_file() {
        return Err("it is no file".to_owned());
    }
    if metadata.len() > MAX_ANSWERS {
        return Err("it is larger than 64 MiB".to_owned());
    }
    std::fs::read(file).map_err(words)
}
