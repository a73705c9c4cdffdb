//! `lacuna cache`: what is in the cache, and removing it.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::super::arguments::{
    CacheArguments, CacheCommand, CleanArguments, Format, ListArguments, Verbosity,
};
use super::super::report::{self, Terminal};
use super::{finish, printed};
use crate::diagnostic::escape_controls;
use crate::session::Error;
use crate::toolchain::store::{self, Item, Kind, Selection};
use crate::toolchain::{ToolchainError, cache_folder, cache_place, look_at_cache};
use crate::trace::figures::size;

/// Runs the command.
pub(in crate::cli) fn run(arguments: &CacheArguments, terminal: &Terminal) -> u8 {
    let given = arguments.cache_dir.as_deref();
    finish(
        match &arguments.command {
            CacheCommand::Path => path(given),
            CacheCommand::Info(arguments) => info(given, arguments),
            CacheCommand::List(arguments) => list(given, arguments),
            CacheCommand::Clean(arguments) => clean(given, arguments, terminal),
        },
        terminal,
    )
}

fn path(given: Option<&Path>) -> Result<u8, Error> {
    printed(report::result(cache_place(given)?.display()))
}

fn info(given: Option<&Path>, arguments: &ListArguments) -> Result<u8, Error> {
    let folder = cache_place(given)?;
    let items = store::list(&folder)?;
    let of = |kind: Kind| items.iter().filter(move |item| item.kind == kind);
    if arguments.format == Format::Json {
        let kinds: serde_json::Map<String, serde_json::Value> = Kind::ALL
            .iter()
            .map(|kind| {
                let (count, bytes) = (of(*kind).count(), total(of(*kind)));
                let oldest = of(*kind).map(Item::age).max().map(|age| age.as_secs());
                let value = json!({ "entries": count, "bytes": bytes, "oldest-seconds": oldest });
                (kind.name().to_owned(), value)
            })
            .collect();
        let bytes = total(items.iter());
        let folder = folder.display().to_string();
        return printed(report::json(
            &json!({ "folder": folder, "bytes": bytes, "kinds": kinds }),
        ));
    }
    let mut text = format!("{}\n", folder.display());
    for kind in Kind::ALL {
        let (name, count) = (kind.name(), of(kind).count());
        let bytes = size(total(of(kind)));
        text.push_str(&format!("{name:<10} {count:>6}  {bytes:>9}"));
        if let (Some(newest), Some(oldest)) =
            (of(kind).map(Item::age).min(), of(kind).map(Item::age).max())
        {
            text.push_str(&format!("  {} to {} old", age(newest), age(oldest)));
        }
        text.push('\n');
    }
    let (count, bytes) = (items.len(), size(total(items.iter())));
    text.push_str(&format!("{:<10} {count:>6}  {bytes:>9}\n", "all"));
    printed(report::raw(&escape_controls(&text)))
}

fn list(given: Option<&Path>, arguments: &ListArguments) -> Result<u8, Error> {
    let items = store::list(&cache_place(given)?)?;
    if arguments.format == Format::Json {
        let items: Vec<_> = items
            .iter()
            .map(|item| {
                json!({
                    "kind": item.kind.name(), "name": item.name, "bytes": item.bytes,
                    "age-seconds": item.age().as_secs(),
                })
            })
            .collect();
        return printed(report::json(&items));
    }
    let lines: String = items.iter().map(line).collect();
    printed(report::raw(&escape_controls(&lines)))
}

fn clean(
    given: Option<&Path>,
    arguments: &CleanArguments,
    terminal: &Terminal,
) -> Result<u8, Error> {
    // Cleaning makes no folder, and a folder of someone else is not cleaned either.
    if !look_at_cache(given)?.exists {
        return printed(report::result("removed 0 B"));
    }
    let folder = cache_folder(given)?;
    let kinds = match arguments.kind.is_empty() {
        true => Kind::ALL.to_vec(),
        false => arguments.kind.iter().map(|kind| (*kind).into()).collect(),
    };
    let selection = Selection {
        kinds,
        older_than: arguments.older_than.unwrap_or_default(),
    };
    let cleaned = store::clean(&folder, &selection)?;
    if terminal.verbosity() == Verbosity::Verbose {
        for item in &cleaned.removed {
            terminal.line(format_args!("removed {}", line(item).trim_end()));
        }
    }
    for item in cleaned
        .in_use
        .iter()
        .filter(|_| terminal.verbosity() > Verbosity::Quiet)
    {
        terminal.line(format_args!("in use, left: {}", line(item).trim_end()));
    }
    // Who names a kind wants it gone; who wants all gone has what is the cache's gone.
    if let Some(folder) = cleaned.linked.first()
        && !arguments.kind.is_empty()
    {
        return Err(ToolchainError::CacheLinked {
            folder: folder.clone(),
        }
        .into());
    }
    for folder in cleaned
        .linked
        .iter()
        .filter(|_| terminal.verbosity() > Verbosity::Quiet)
    {
        terminal.line(format_args!("a symbolic link, left: {}", folder.display()));
    }
    printed(report::result(format_args!(
        "removed {}",
        size(total(cleaned.removed.iter()))
    )))?;
    match cleaned.failed.into_iter().next() {
        None => Ok(0),
        Some((item, source)) => Err(Error::File {
            doing: "remove",
            path: item.path,
            source,
        }),
    }
}

fn line(item: &Item) -> String {
    let (kind, size, age) = (item.kind.name(), size(item.bytes), age(item.age()));
    format!("{kind:<10} {size:>9}  {age:>5}  {}\n", item.name)
}

fn total<'a>(items: impl Iterator<Item = &'a Item>) -> u64 {
    items.map(|item| item.bytes).sum()
}

/// In the largest unit of which there are two.
fn age(time: Duration) -> String {
    let seconds = time.as_secs();
    for (unit, factor) in [("d", 24 * 60 * 60), ("h", 60 * 60), ("m", 60)] {
        if seconds >= 2 * factor {
            return format!("{} {unit}", seconds / factor);
        }
    }
    format!("{seconds} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        let age = |seconds| age(Duration::from_secs(seconds));
        assert_eq!(age(119), "119 s");
        assert_eq!(age(120), "2 m");
        assert_eq!(age(47 * 60 * 60), "47 h");
        assert_eq!(age(48 * 60 * 60), "2 d");
    }
}
