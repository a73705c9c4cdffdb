//! `[hole.H.grant.KEY]`.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::Spanned;
use super::document::{Document, Item, Key};
use super::keys::{self, RULES, Table};
use super::rules::{self, ArgumentRule};
use crate::error::{Fault, Place};
use crate::labels::{LABELS, Labels};

/// `[hole.H.grant.KEY]`: the keys as read; `grant` checks them against the import.
#[derive(Clone, Debug)]
pub struct GrantConfig {
    /// Where KEY stands.
    pub place: Place,
    /// Every key that stands there, with its place.
    pub given: Vec<(&'static str, Place)>,
    /// `provider`.
    pub provider: Option<Spanned<String>>,
    /// `functions`.
    pub functions: Option<Vec<Spanned<String>>>,
    /// `where`: rules on arguments.
    pub rules: Vec<ArgumentRule>,
    /// `calls`: most calls by function.
    pub calls: Vec<(Spanned<String>, u64)>,
    /// `irreversible`.
    pub irreversible: Option<Irreversible>,
    /// `labels` by function.
    pub labels: Vec<(Spanned<String>, Labels)>,
    /// `sends`.
    pub sends: Option<Vec<Spanned<String>>>,
    /// `clearance`.
    pub clearance: Labels,
    /// fs: `path`.
    pub path: Option<Spanned<String>>,
    /// fs: `max-file`, bytes.
    pub max_file: Option<Spanned<u64>>,
    /// stub: `answers`, a JSON file.
    pub answers: Option<Spanned<String>>,
    /// random: `seed`.
    pub seed: Option<Spanned<u64>>,
    /// clock: `fixed`, the time that it always is.
    pub fixed: Option<Spanned<String>>,
    /// kv, sql, component: `file`.
    pub file: Option<Spanned<String>>,
    /// kv: `prefix`.
    pub prefix: Option<Spanned<String>>,
    /// kv: `max-keys`.
    pub max_keys: Option<Spanned<u64>>,
    /// kv: `max-bytes`.
    pub max_bytes: Option<Spanned<u64>>,
    /// sql: `tables`.
    pub tables: Option<Vec<Spanned<String>>>,
    /// sql, wasi: `write`.
    pub write: Option<Spanned<bool>>,
    /// sql: `max-rows`.
    pub max_rows: Option<Spanned<u64>>,
    /// http: `origins`.
    pub origins: Option<Vec<Spanned<String>>>,
    /// http: `methods`.
    pub methods: Option<Vec<Spanned<String>>>,
    /// http: `paths`.
    pub paths: Option<Vec<Spanned<String>>>,
    /// http: `redirects`.
    pub redirects: Option<Spanned<u64>>,
    /// http: `private-addresses`.
    pub private_addresses: Option<Vec<Spanned<String>>>,
    /// http: `max-body`, bytes.
    pub max_body: Option<Spanned<u64>>,
    /// http: `header.NAME = { env = "VARIABLE" }`.
    pub headers: Vec<HeaderConfig>,
    /// json-http: `url`.
    pub url: Option<Spanned<String>>,
    /// command: `argv`.
    pub argv: Option<Vec<Spanned<String>>>,
    /// command: `keep-alive`.
    pub keep_alive: Option<Spanned<bool>>,
    /// component: `grant.KEY`.
    pub grants: BTreeMap<String, GrantConfig>,
    /// wasi: `preopen`.
    pub preopen: Option<Spanned<String>>,
}

/// `irreversible`.
#[derive(Clone, Debug)]
pub enum Irreversible {
    /// All functions, or none.
    All(bool),
    /// These.
    Functions(Vec<Spanned<String>>),
}

/// `header.NAME = { env = "VARIABLE" }`.
#[derive(Clone, Debug)]
pub struct HeaderConfig {
    /// The header's name.
    pub name: Spanned<String>,
    /// The variable that holds its value.
    pub env: Spanned<String>,
}

impl GrantConfig {
    /// A grant without keys.
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            given: Vec::new(),
            provider: None,
            functions: None,
            rules: Vec::new(),
            calls: Vec::new(),
            irreversible: None,
            labels: Vec::new(),
            sends: None,
            clearance: Labels::NONE,
            path: None,
            max_file: None,
            answers: None,
            seed: None,
            fixed: None,
            file: None,
            prefix: None,
            max_keys: None,
            max_bytes: None,
            tables: None,
            write: None,
            max_rows: None,
            origins: None,
            methods: None,
            paths: None,
            redirects: None,
            private_addresses: None,
            max_body: None,
            headers: Vec::new(),
            url: None,
            argv: None,
            keep_alive: None,
            grants: BTreeMap::new(),
            preopen: None,
        }
    }

    /// Where a key stands, or the grant when it does not.
    pub fn place_of(&self, key: &str) -> Place {
        let given = self.given.iter().find(|(name, _)| *name == key);
        given.map_or(&self.place, |(_, place)| place).clone()
    }
}

/// Keys that a coming version will have.
const LATER: &[&str] = &["secret"];

/// Reads one grant.
pub(super) fn read(document: &mut Document<'_>, grant: &Key, table: &DeTable<'_>) -> GrantConfig {
    let mut config = GrantConfig::new(grant.place.clone());
    let mut known = Table::Grant.names();
    // Refused below, with words of its own.
    known.push("hole");
    document.table(table, &known, LATER, |document, key, name, value| {
        if let Some(key) = Table::Grant.keys().find(|known| known.name == key) {
            let place = document.place(value.span());
            config.given.push((key.name, place));
        }
        read_key(document, &mut config, key, name, value);
    });
    config
}

fn read_key(
    document: &mut Document<'_>,
    config: &mut GrantConfig,
    key: &str,
    name: &Key,
    value: &Item<'_>,
) {
    match key {
        "provider" => {
            config.provider = document.text(name, value);
            if let Some(provider) = &config.provider {
                if provider.value == "hole" {
                    document.push(
                        Fault::new("calling another hole is not supported yet")
                            .at(provider.place.clone()),
                    );
                } else {
                    document.one_of("provider", provider, keys::GRANT_PROVIDERS, &[]);
                }
            }
        }
        "functions" => {
            config.functions = some(
                document,
                name,
                value,
                "name the functions that the hole may call, or leave `functions` out to allow all",
            )
        }
        "where" => config.rules = rules::read(document, name, value),
        "calls" => for_each(document, name, value, |document, name, value| {
            let most = document.number(name, value)?;
            config.calls.push((name.clone(), most));
            Some(())
        }),
        "labels" => for_each(document, name, value, |document, name, value| {
            let labels = labels(document, name, value)?;
            config.labels.push((name.clone(), labels));
            Some(())
        }),
        "irreversible" => {
            config.irreversible = match value.get_ref() {
                DeValue::Boolean(all) => Some(Irreversible::All(*all)),
                _ => document.texts(name, value).map(Irreversible::Functions),
            };
        }
        "sends" => config.sends = document.texts(name, value),
        "clearance" => config.clearance = labels(document, name, value).unwrap_or_default(),
        "header" => for_each(document, name, value, |document, name, value| {
            let env = header(document, name, value)?;
            config.headers.push(HeaderConfig {
                name: name.clone(),
                env,
            });
            Some(())
        }),
        "grant" => document.named_tables(name, value, |document, grant, _, table| {
            let inner = read(document, grant, table);
            config.grants.insert(grant.value.clone(), inner);
        }),
        "path" => config.path = document.text(name, value),
        "answers" => config.answers = document.text(name, value),
        "fixed" => config.fixed = document.text(name, value),
        "file" => config.file = document.text(name, value),
        "prefix" => config.prefix = document.text(name, value),
        "url" => config.url = document.text(name, value),
        "preopen" => config.preopen = document.text(name, value),
        "seed" => config.seed = document.spanned(Document::number, name, value),
        "max-keys" => config.max_keys = document.spanned(Document::number, name, value),
        "max-rows" => config.max_rows = document.spanned(Document::number, name, value),
        "redirects" => config.redirects = document.spanned(Document::number, name, value),
        "max-file" => config.max_file = document.spanned(Document::size, name, value),
        "max-bytes" => config.max_bytes = document.spanned(Document::size, name, value),
        "max-body" => config.max_body = document.spanned(Document::size, name, value),
        "write" => config.write = document.spanned(Document::flag, name, value),
        "keep-alive" => config.keep_alive = document.spanned(Document::flag, name, value),
        "tables" => {
            config.tables = some(document, name, value, "name the tables that may be touched")
        }
        "origins" => {
            config.origins = some(
                document,
                name,
                value,
                "name the origins that requests may go to, such as \"https://api.example.com\"",
            );
        }
        "methods" => {
            config.methods = some(document, name, value, "name the methods, such as \"GET\"")
        }
        "paths" => {
            config.paths = some(
                document,
                name,
                value,
                "name what paths may start with, or leave `paths` out to allow all",
            );
        }
        "private-addresses" => config.private_addresses = document.texts(name, value),
        "argv" => config.argv = document.words(name, value),
        _ => document.fault(
            value.span(),
            Fault::new("calling another hole is not supported yet"),
        ),
    }
}

/// A list that must not be empty.
fn some(
    document: &mut Document<'_>,
    name: &Key,
    value: &Item<'_>,
    hint: &str,
) -> Option<Vec<Spanned<String>>> {
    let texts = document.texts(name, value)?;
    if texts.is_empty() {
        let message = format!(
            "`{}` is empty, so this grant would allow nothing",
            name.value
        );
        document.fault(value.span(), Fault::new(message).hint(hint));
    }
    Some(texts)
}

/// The entries of a table under names that the author chose.
fn for_each(
    document: &mut Document<'_>,
    name: &Key,
    value: &Item<'_>,
    mut read: impl FnMut(&mut Document<'_>, &Key, &Item<'_>) -> Option<()>,
) {
    let Some(table) = document.as_table(name, value) else {
        return;
    };
    for (name, value) in document.entries(table) {
        // What is wrong has become a fault.
        let _ = read(document, &name, value);
    }
}

/// A list of labels.
pub(super) fn labels(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Labels> {
    let mut labels = Labels::NONE;
    for label in document.texts(name, value)? {
        if document.one_of("label", &label, LABELS, &[]) {
            labels = labels.with(Labels::named(&label.value)?);
        }
    }
    Some(labels)
}

fn header(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Spanned<String>> {
    const HINT: &str = "write `header.authorization = { env = \"VARIABLE\" }`: the value itself must not stand here";
    let Some(table) = value.get_ref().as_table() else {
        let message = format!(
            "`{}` must name the variable that holds its value",
            name.value
        );
        document.fault(value.span(), Fault::new(message).hint(HINT));
        return None;
    };
    let mut env = None;
    document.table(table, &["env"], &[], |document, _, name, value| {
        env = document.text(name, value);
    });
    if !document.has(table, "env") {
        let message = format!("`{}` has no `env`", name.value);
        document.push(Fault::new(message).at(name.place.clone()).hint(HINT));
    }
    env
}

/// The names of the rules.
pub(super) fn rule_names() -> Vec<&'static str> {
    RULES.iter().map(|(name, _)| *name).collect()
}
