//! The grammar of `lacuna cache`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::Format;
use crate::toolchain::store;

#[derive(Debug, Args)]
pub(in crate::cli) struct CacheArguments {
    /// The cache folder [default: LACUNA_CACHE_DIR, else the user's cache folder]
    #[arg(long, value_name = "DIR", global = true)]
    pub(in crate::cli) cache_dir: Option<PathBuf>,
    #[command(subcommand)]
    pub(in crate::cli) command: CacheCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum CacheCommand {
    /// Print the folder
    Path,
    /// Print how much there is of each kind, and how old it is
    Info(ListArguments),
    /// Print every entry: kind, size, age, name
    List(ListArguments),
    /// Remove what is not in use
    Clean(CleanArguments),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArguments {
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(in crate::cli) struct CleanArguments {
    /// Everything
    #[arg(long, conflicts_with_all = ["older_than", "kind"])]
    pub(in crate::cli) all: bool,
    /// What was not used for so long: 30d, 12h. Of an SDK the last use counts, else when it was written
    #[arg(long, value_name = "TIME", value_parser = age)]
    pub(in crate::cli) older_than: Option<Duration>,
    /// Only this kind; may be given again
    #[arg(long, value_enum)]
    pub(in crate::cli) kind: Vec<Kind>,
}

/// What is kept in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Kind {
    /// The guest SDK, compiled for one toolchain
    Sdk,
    /// Compiled bindings, one for each scope
    Bindings,
    /// Verdicts on snippets
    Verdicts,
    /// Machine code of accepted components
    Compiled,
    /// Work folders of runs that were killed
    Work,
}

impl From<Kind> for store::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Sdk => Self::Sdk,
            Kind::Bindings => Self::Bindings,
            Kind::Verdicts => Self::Verdicts,
            Kind::Compiled => Self::Compiled,
            Kind::Work => Self::Work,
        }
    }
}

/// `30d`, `12h`, `5m`, `0s`.
fn age(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, u64); 5] = [
        ("s", 1),
        ("m", 60),
        ("h", 60 * 60),
        ("d", 24 * 60 * 60),
        ("w", 7 * 24 * 60 * 60),
    ];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let seconds = UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .and_then(|(_, factor)| number.parse::<u64>().ok()?.checked_mul(*factor));
    match seconds {
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Err("write a number and its unit: s, m, h, d or w, such as 30d".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_need_a_unit() {
        assert_eq!(age("30d"), Ok(Duration::from_secs(30 * 24 * 60 * 60)));
        assert_eq!(age("0s"), Ok(Duration::ZERO));
        for wrong in [
            "30",
            "d",
            "",
            "-1d",
            "1.5h",
            "99999999999999999999d",
            "30 d",
            "18446744073709551615w",
        ] {
            assert!(age(wrong).is_err(), "{wrong}");
        }
    }
}
