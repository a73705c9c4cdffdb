//! `[models.NAME]`.

use std::path::PathBuf;
use std::time::Duration;

use toml::de::DeTable;

use super::document::{Document, Item, Key};
use super::grants;
use super::keys::{MODEL_PROVIDERS, Table};
use super::{ModelConfig, Price, Spanned};
use crate::error::{Fault, nearest};
use crate::labels::Labels;
use crate::plan::words;

/// How a price is written.
const PRICE_HINT: &str = "write `price = { input = 1.0, output = 5.0 }`, in USD per million tokens";

/// Default of `max-output-tokens`.
pub(crate) const MAX_OUTPUT_TOKENS: u64 = 8000;

/// Default of `timeout`, and the one for a person.
const TIMEOUT: Duration = Duration::from_secs(120);
const TIMEOUT_OF_PEOPLE: Duration = Duration::from_secs(3600);

impl ModelConfig {
    /// A model of which nothing is known but the provider.
    pub(crate) fn new(provider: Spanned<String>) -> Self {
        let timeout = match provider.value.as_str() {
            "human" => TIMEOUT_OF_PEOPLE,
            _ => TIMEOUT,
        };
        Self {
            provider,
            model: None,
            command: None,
            dir: None,
            base_url: None,
            max_output_tokens: MAX_OUTPUT_TOKENS,
            temperature: None,
            timeout,
            price: None,
            clearance: Labels::NONE,
        }
    }
}

/// Reads one model; `None` when a fault leaves nothing to go on with.
pub(super) fn read(
    document: &mut Document<'_>,
    model: &Key,
    table: &DeTable<'_>,
) -> Option<ModelConfig> {
    // The provider decides on defaults and keys, and may stand behind them in the text.
    let mut provider = None;
    for (name, value) in document.entries(table) {
        if name.value == "provider" {
            provider = document.text(&name, value);
        }
    }
    let known = provider
        .as_ref()
        .is_some_and(|provider| document.one_of("provider", provider, MODEL_PROVIDERS, &[]));
    if provider.is_none() && !document.has(table, "provider") {
        document.push(
            Fault::new(format!("model `{}` has no `provider`", model.value))
                .at(model.place.clone())
                .hint("write `provider = \"openai\"`, `\"command\"` or `\"replay\"`"),
        );
    }
    let mut config = ModelConfig::new(provider.unwrap_or_else(|| model.clone()));
    document.table(
        table,
        &Table::Model.names(),
        &[],
        |document, key, name, value| {
            read_key(document, &mut config, key, name, value);
        },
    );
    if !known {
        return None;
    }
    check_keys(document, table, &config.provider);
    Some(config)
}

fn read_key(
    document: &mut Document<'_>,
    config: &mut ModelConfig,
    key: &str,
    name: &Key,
    value: &Item<'_>,
) {
    let text = |document: &mut Document<'_>| document.text(name, value);
    match key {
        "model" => config.model = text(document).map(|text| text.value),
        "command" => {
            config.command = text(document).and_then(|text| split_command(document, &text));
        }
        "dir" => config.dir = text(document).map(|text| PathBuf::from(text.value)),
        "base-url" => config.base_url = text(document).map(|text| text.value),
        "max-output-tokens" => {
            document.set(&mut config.max_output_tokens, Document::number, name, value);
            document.require(
                config.max_output_tokens > 0,
                value.span(),
                "`max-output-tokens` must be 1 or more",
                "an answer of no tokens is none",
            );
        }
        "temperature" => config.temperature = document.amount(name, value),
        "timeout" => document.set(&mut config.timeout, Document::duration, name, value),
        "price" => config.price = read_price(document, name, value),
        "clearance" => document.set(&mut config.clearance, grants::labels, name, value),
        // `provider` was read before the rest.
        _ => {}
    }
}

fn read_price(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Price> {
    let Some(table) = value.get_ref().as_table() else {
        document.fault(
            value.span(),
            Fault::new("`price` must be a table with `input` and `output`").hint(PRICE_HINT),
        );
        return None;
    };
    let (mut input, mut output) = (None, None);
    document.table(
        table,
        &Table::Price.names(),
        &[],
        |document, key, name, value| {
            let usd = read_usd(document, name, value);
            match key {
                "input" => input = usd,
                _ => output = usd,
            }
        },
    );
    if Table::Price
        .keys()
        .any(|key| !document.has(table, key.name))
    {
        document.push(
            Fault::new("`price` needs both `input` and `output`")
                .at(name.place.clone())
                .hint(PRICE_HINT),
        );
    }
    Some(Price {
        input: input?,
        output: output?,
    })
}

/// US dollars: a number, or text that says so. Text without a currency may be meant in any.
fn read_usd(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<f64> {
    let Some(text) = value.get_ref().as_str() else {
        return document.amount(name, value);
    };
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || ".eE+-_".contains(c)))
        .unwrap_or(text.len());
    let (number, currency) = text.split_at(end);
    let number = number
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite() && *number >= 0.0);
    let message = match (number, currency.trim()) {
        (Some(number), "USD") => return Some(number),
        (Some(_), "") => format!("`{}`: \"{text}\" has no currency", name.value),
        (Some(_), other) => format!(
            "`{}`: prices are in USD, and nothing here can convert `{other}`",
            name.value
        ),
        (None, _) => format!("`{}`: \"{text}\" is no price", name.value),
    };
    let example = number.unwrap_or(1.25);
    document.fault(
        value.span(),
        Fault::new(message).hint(format!(
            "write USD per million tokens: `{name} = {example}` or `{name} = \"{example} USD\"`",
            name = name.value
        )),
    );
    None
}

/// A provider needs some keys and has no use for others: a key that does nothing is a mistake of the author.
fn check_keys(document: &mut Document<'_>, table: &DeTable<'_>, provider: &Spanned<String>) {
    let given = document.entries(table);
    let names = Table::Model.names();
    let misspelt = |key: &str| {
        given.iter().any(|(name, _)| {
            let name = name.value.as_str();
            !names.contains(&name) && nearest(name, names.iter().copied()) == Some(key)
        })
    };
    for key in Table::Model.keys().filter(|key| !key.providers.is_empty()) {
        let (name, owners) = (key.name, key.providers);
        let here = owners.contains(&provider.value.as_str());
        let place = given
            .iter()
            .find(|(given, _)| given.value == name)
            .map(|(given, _)| given.place.clone());
        match place {
            Some(place) if !here => document.push(
                Fault::new(format!(
                    "`{name}` does not belong to the provider `{}`",
                    provider.value
                ))
                .at(place)
                .hint(format!("it belongs to {}", listed(owners))),
            ),
            // A misspelt key has its own fault, which says more.
            None if here && key.required && !misspelt(name) => document.push(
                Fault::new(format!("the provider `{}` needs `{name}`", provider.value))
                    .at(provider.place.clone()),
            ),
            _ => {}
        }
    }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// No shell runs, so nothing is expanded.
fn split_command(document: &mut Document<'_>, text: &Spanned<String>) -> Option<Vec<String>> {
    match words::split(&text.value) {
        Ok(words) => Some(words),
        Err(error) => {
            document.push(Fault::new(format!("`command`: {error}")).at(text.place.clone()));
            None
        }
    }
}
