//! The manifest `lacuna.toml` (CONTRACTS section 4): strict, every key with its place.
//!
//! A key that CONTRACTS names and this version does not honour is an error, never ignored: a limit that silently does
//! nothing is worse than none.

mod document;
mod grants;
pub mod keys;
mod limits;
mod models;
mod rules;
mod schema;
mod twice;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use toml::de::DeTable;

use self::document::{Document, Item, Key};
use self::keys::Table;
pub use self::schema::schema;
use crate::budget::Limits;
use crate::error::{Fault, Place};
use crate::labels::Labels;

/// A value with the place it was read from.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// A parsed manifest.
#[derive(Clone, Debug)]
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
    /// `timeout`, default 120 s, for a person an hour; 0 is none but the session's.
    pub timeout: Duration,
    /// `price.input`, `price.output`: USD per million tokens.
    pub price: Option<Price>,
    /// `clearance`: labels of the values that its prompts may show, default none.
    pub clearance: Labels,
}

/// `[models.NAME.price]`.
pub use crate::budget::TokenPrice as Price;

pub use self::grants::{GrantConfig, HeaderConfig, Irreversible};
pub use self::keys::MODEL_PROVIDERS;
pub(crate) use self::models::MAX_OUTPUT_TOKENS;
pub use self::rules::{ArgumentRule, Number, Scalar, Test};

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
    /// `depth`, default 8: how deep holes may open holes.
    pub depth: u32,
    /// `holes`, default 64.
    pub holes: u32,
    /// `parallel`, default 4.
    pub parallel: u32,
}

impl Default for BudgetConfig {
    fn default() -> Self {
        Self {
            attempts: 3,
            model_calls: 100,
            tokens: 200_000,
            usd: 1.0,
            wall: Duration::from_secs(600),
            depth: 8,
            holes: 64,
            parallel: 4,
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

impl Default for Manifest {
    fn default() -> Self {
        Self {
            file: None,
            hash: hash(""),
            entry: None,
            models: BTreeMap::new(),
            budget: BudgetConfig::default(),
            limits: Limits::default(),
            holes: BTreeMap::new(),
        }
    }
}

impl Manifest {
    /// Reads a manifest's text; `name` is the file's name in messages.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of the text.
    pub fn parse(file: PathBuf, name: &str, source: &str) -> Result<Self, Fault> {
        let mut manifest = Self {
            file: Some(file),
            hash: hash(source),
            ..Self::default()
        };
        let document = DeTable::parse(source).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            // The message of the TOML parser is one lower-case line.
            let message = error.message().lines().next().unwrap_or("invalid TOML");
            let place = Place::of_bytes(name, source, span.start, span.end);
            twice::explain(Fault::new(message).at(place), name, source, span.start)
        })?;
        let mut document_reader = Document::new(name, source);
        let top = document.get_ref();
        // Limits of a hole lie over those of the plan, which may stand behind them in the text.
        document_reader.section(top, "limits", |document, key, value| {
            limits::read(document, &mut manifest.limits, key, value);
        });
        manifest.read_top(&mut document_reader, top);
        match document_reader.finish() {
            Some(fault) => Err(fault),
            None => Ok(manifest),
        }
    }

    /// The limits of a hole.
    pub fn limits(&self, hole: &str) -> &Limits {
        self.holes
            .get(hole)
            .map_or(&self.limits, |hole| &hole.limits)
    }

    /// Name and settings of the model that fills a hole; `None` when the manifest has no such model.
    pub fn model_for(&self, hole: &str) -> Option<(&str, &ModelConfig)> {
        let name = self
            .holes
            .get(hole)
            .and_then(|hole| hole.model.as_ref())
            .map_or("default", |model| model.value.as_str());
        self.models
            .get_key_value(name)
            .map(|(name, model)| (name.as_str(), model))
    }

    fn read_top(&mut self, document: &mut Document<'_>, top: &DeTable<'_>) {
        document.table(
            top,
            &Table::Top.names(),
            &["verify"],
            |document, key, name, value| match key {
                "schema" => {
                    let schema = document.number(name, value);
                    let known = schema.is_none_or(|schema| schema == 1);
                    document.require(
                        known,
                        value.span(),
                        "this schema is not known",
                        "write `schema = 1`",
                    );
                }
                "entry" => self.entry = document.text(name, value),
                "models" => document.named_tables(name, value, |document, model, _, table| {
                    if let Some(config) = models::read(document, model, table) {
                        self.models.insert(model.value.clone(), config);
                    }
                }),
                "budget" => self.read_budget(document, name, value),
                "hole" => document.named_tables(name, value, |document, hole, _, table| {
                    let config = read_hole(document, hole, table, &self.limits);
                    self.holes.insert(hole.value.clone(), config);
                }),
                // Read before the rest.
                _ => {}
            },
        );
        if !document.has(top, "schema") {
            document.fault(
                0..0,
                Fault::new("`schema` is missing").hint("write `schema = 1` at the top"),
            );
        }
        for hole in self.holes.values() {
            if let Some(model) = &hole.model
                && !self.models.contains_key(&model.value)
            {
                let names = self.models.keys().map(String::as_str);
                document.push(
                    Fault::new(format!("there is no `[models.{}]`", model.value))
                        .at(model.place.clone())
                        .did_you_mean(&model.value, names),
                );
            }
        }
    }

    fn read_budget(&mut self, document: &mut Document<'_>, name: &Key, value: &Item<'_>) {
        let budget = &mut self.budget;
        let known = Table::Budget.names();
        let Some(table) = document.as_table(name, value) else {
            return;
        };
        document.table(table, &known, &[], |document, key, name, value| match key {
            "attempts" => document.set_small(&mut budget.attempts, name, value),
            "model-calls" => document.set_small(&mut budget.model_calls, name, value),
            "depth" => document.set_small(&mut budget.depth, name, value),
            "holes" => document.set_small(&mut budget.holes, name, value),
            "parallel" => document.set_small(&mut budget.parallel, name, value),
            "tokens" => document.set(&mut budget.tokens, Document::number, name, value),
            "usd" => document.set(&mut budget.usd, Document::amount, name, value),
            _ => document.set(&mut budget.wall, Document::duration, name, value),
        });
    }
}

fn hash(text: &str) -> String {
    format!("blake3:{}", blake3::hash(text.as_bytes()).to_hex())
}

fn read_hole(
    document: &mut Document<'_>,
    hole: &Key,
    table: &DeTable<'_>,
    limits: &Limits,
) -> HoleConfig {
    let mut config = HoleConfig {
        place: hole.place.clone(),
        model: None,
        args: BTreeMap::new(),
        limits: limits.clone(),
        retry_on: vec!["rejected".to_owned(), "contract".to_owned()],
        grants: BTreeMap::new(),
    };
    document.table(
        table,
        &Table::Hole.names(),
        &["models", "commit-on-err"],
        |document, key, name, value| match key {
            "model" => config.model = document.text(name, value),
            "args" => {
                let Some(table) = document.as_table(name, value) else {
                    return;
                };
                for (name, value) in document.entries(table) {
                    if let Some(value) = document.text(&name, value) {
                        config.args.insert(name.value, value);
                    }
                }
            }
            "limits" => document.section(table, "limits", |document, key, value| {
                limits::read(document, &mut config.limits, key, value);
            }),
            "retry-on" => {
                let Some(outcomes) = document.texts(name, value) else {
                    return;
                };
                for outcome in &outcomes {
                    document.one_of("outcome", outcome, keys::OUTCOMES, &["trap"]);
                }
                config.retry_on = outcomes.into_iter().map(|outcome| outcome.value).collect();
            }
            _ => document.named_tables(name, value, |document, grant, _, table| {
                let grant_config = grants::read(document, grant, table);
                config.grants.insert(grant.value.clone(), grant_config);
            }),
        },
    );
    config
}

#[cfg(test)]
mod tests;
