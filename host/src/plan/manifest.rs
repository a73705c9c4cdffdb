//! The manifest `lacuna.toml` (CONTRACTS section 4): strict, every key with its place.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::budget::Limits;
use crate::error::Place;

/// A value with the place it was read from.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// A parsed manifest.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    /// The file, if there was one.
    pub file: Option<PathBuf>,
    /// `blake3:…` of its text (of the empty text if there was no file).
    pub hash: String,
    /// `entry`.
    pub entry: Option<Spanned<String>>,
    /// `[models.NAME]`.
    pub models: BTreeMap<String, ModelConfig>,
    /// `[budget]`.
    pub budget: BudgetConfig,
    /// `[limits]` over the defaults.
    pub limits: Limits,
    /// `[hole.H]`.
    pub holes: BTreeMap<String, HoleConfig>,
}

/// `[models.NAME]`.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// `provider`.
    pub provider: Spanned<String>,
    /// `model`.
    pub model: Option<String>,
    /// `command`: split into words like a POSIX shell would, nothing expanded.
    pub command: Option<Vec<String>>,
    /// `dir`, relative to the manifest's folder.
    pub dir: Option<PathBuf>,
    /// `base-url`.
    pub base_url: Option<String>,
    /// `max-output-tokens`, default 8000.
    pub max_output_tokens: u64,
    /// `temperature`.
    pub temperature: Option<f64>,
    /// `timeout`, default 120 s.
    pub timeout: Duration,
    /// `price.input`, `price.output`: USD per million tokens.
    pub price: Option<Price>,
}

/// `[models.NAME.price]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// USD per million input tokens.
    pub input: f64,
    /// USD per million output tokens.
    pub output: f64,
}

/// `[budget]`: for the whole tree of a session, but `attempts`, which is per hole.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetConfig {
    /// `attempts` a hole, default 3.
    pub attempts: u32,
    /// `model-calls`, default 100.
    pub model_calls: u32,
    /// `tokens` in and out, default 200000.
    pub tokens: u64,
    /// `usd`, default 1.00.
    pub usd: f64,
    /// `wall`, default 10 minutes.
    pub wall: Duration,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self {
            attempts: 3,
            model_calls: 100,
            tokens: 200_000,
            usd: 1.0,
            wall: Duration::from_secs(600),
        }
    }
}

/// `[hole.H]`.
#[derive(Clone, Debug)]
pub struct HoleConfig {
    /// Where the table's name stands.
    pub place: Place,
    /// `model`: a name of `[models]`.
    pub model: Option<Spanned<String>>,
    /// `[hole.H.args]`: WAVE text or `@file`.
    pub args: BTreeMap<String, Spanned<String>>,
    /// `[hole.H.limits]` over `[limits]` over the defaults.
    pub limits: Limits,
    /// `retry-on`: which outcomes make another attempt, default rejected and contract.
    pub retry_on: Vec<String>,
    /// `[hole.H.grant.KEY]`.
    pub grants: BTreeMap<String, GrantConfig>,
}

/// `[hole.H.grant.KEY]`: the keys as read; `grant` checks them against the import.
#[derive(Clone, Debug)]
pub struct GrantConfig {
    /// Where KEY stands.
    pub place: Place,
    /// `provider`.
    pub provider: Option<Spanned<String>>,
    /// `functions`.
    pub functions: Option<Vec<Spanned<String>>>,
    /// fs: `path`.
    pub path: Option<Spanned<String>>,
    /// fs: `max-file`, bytes.
    pub max_file: Option<Spanned<u64>>,
    /// stub: `answers`, a JSON file.
    pub answers: Option<Spanned<String>>,
    /// hole: `hole`.
    pub hole: Option<Spanned<String>>,
}
