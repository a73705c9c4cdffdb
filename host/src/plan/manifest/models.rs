//! `[models.NAME]`.

use std::path::PathBuf;
use std::time::Duration;

use toml::de::DeTable;

use super::document::{Document, Key};
use super::keys::{self, Table};
use super::{ModelConfig, Price, Spanned};
use crate::error::Fault;
use crate::plan::words;

/// Reads one model; `None` when a fault leaves nothing to go on with.
pub(super) fn read(
    document: &mut Document<'_>,
    model: &Key,
    table: &DeTable<'_>,
) -> Option<ModelConfig> {
    let mut provider = None;
    let mut config = ModelConfig {
        provider: model.clone(),
        model: None,
        command: None,
        dir: None,
        base_url: None,
        max_output_tokens: 8000,
        temperature: None,
        timeout: Duration::from_secs(120),
        price: None,
    };
    document.table(table, &Table::Model.names(), &["clearance"], |document, key, name, value| match key {
        "provider" => provider = document.text(name, value),
        "model" => config.model = document.text(name, value).map(|text| text.value),
        "command" => {
            if let Some(text) = document.text(name, value) {
                config.command = split_command(document, &text);
            }
        }
        "dir" => config.dir = document.text(name, value).map(|text| PathBuf::from(text.value)),
        "base-url" => config.base_url = document.text(name, value).map(|text| text.value),
        "max-output-tokens" => {
            document.set(&mut config.max_output_tokens, Document::number, name, value);
        }
        "temperature" => config.temperature = document.amount(name, value),
        "timeout" => document.set(&mut config.timeout, Document::duration, name, value),
        _ => {
            let Some(table) = document.as_table(name, value) else {
                return;
            };
            let (mut input, mut output) = (None, None);
            document.table(table, &Table::Price.names(), &[], |document, key, name, value| match key {
                "input" => input = document.amount(name, value),
                _ => output = document.amount(name, value),
            });
            match (input, output) {
                (Some(input), Some(output)) => config.price = Some(Price { input, output }),
                _ => document.push(
                    Fault::new("`price` needs both `input` and `output`")
                        .at(name.place.clone())
                        .hint("write `price = { input = 1.0, output = 5.0 }`, in USD per million tokens"),
                ),
            }
        }
    });
    let Some(provider) = provider else {
        if !document.has(table, "provider") {
            document.push(
                Fault::new(format!("model `{}` has no `provider`", model.value))
                    .at(model.place.clone())
                    .hint("write `provider = \"openai\"`, `\"command\"` or `\"replay\"`"),
            );
        }
        return None;
    };
    if !document.one_of(
        "provider",
        &provider,
        keys::MODEL_PROVIDERS,
        keys::LATER_MODEL_PROVIDERS,
    ) {
        return None;
    }
    check_keys(document, table, &provider);
    config.provider = provider;
    Some(config)
}

/// A provider needs some keys and has no use for others: a key that does nothing is a mistake of the author.
fn check_keys(document: &mut Document<'_>, table: &DeTable<'_>, provider: &Spanned<String>) {
    for key in Table::Model.keys() {
        let (name, owners) = (key.name, key.providers);
        let here = owners.contains(&provider.value.as_str());
        if owners.is_empty() {
            continue;
        }
        let given = document
            .entries(table)
            .into_iter()
            .find(|(given, _)| given.value == name)
            .map(|(given, _)| given.place);
        match given {
            Some(place) if !here => document.push(
                Fault::new(format!(
                    "`{name}` does not belong to the provider `{}`",
                    provider.value
                ))
                .at(place)
                .hint(format!("it belongs to `{}`", owners.join("`, `"))),
            ),
            None if here && key.required => document.push(
                Fault::new(format!("the provider `{}` needs `{name}`", provider.value))
                    .at(provider.place.clone()),
            ),
            _ => {}
        }
    }
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
