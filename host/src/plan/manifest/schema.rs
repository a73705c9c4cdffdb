//! The manifest's JSON schema (draft 2020-12), made from the table of keys, for editors.
//!
//! It knows names, types, units, and which keys a provider needs. What a plan decides (which holes and imports there are)
//! it cannot know.

use serde_json::{Map, Value as Json, json};

use super::keys::{Kind, ManifestKey, RULES, Table, is_built_in};
use crate::labels::LABELS;

/// Its id: a name, not an address.
const ID: &str = "urn:lacuna:manifest:1";

/// The schema of `lacuna.toml`.
pub fn schema() -> Json {
    let mut definitions = Map::new();
    for table in Table::ALL.into_iter().filter(|table| *table != Table::Top) {
        definitions.insert(definition(table).to_owned(), object(table));
    }
    definitions.insert(
        "size".to_owned(),
        with_unit("a size such as \"64MiB\"; 0 means none", "B|KiB|MiB|GiB"),
    );
    definitions.insert(
        "time".to_owned(),
        with_unit("a time such as \"30s\"; 0 means none", "ms|s|m|h"),
    );
    definitions.insert(
        "usd".to_owned(),
        json!({
            "description": "US dollars, 0 or more; a text must name the currency",
            "oneOf": [
                { "type": "number", "minimum": 0 },
                { "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?\\s*USD\\s*$" },
            ],
        }),
    );
    definitions.insert("rules".to_owned(), argument_rules());
    let mut top = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "lacuna.toml",
        "description": "The manifest of a plan: models, budget, limits, and what each hole may call",
    });
    if let (Json::Object(top), Json::Object(rest)) = (&mut top, object(Table::Top)) {
        top.extend(rest);
        top.insert("$defs".to_owned(), Json::Object(definitions));
    }
    top
}

fn definition(table: Table) -> &'static str {
    match table {
        Table::Top => "top",
        Table::Model => "model",
        Table::Price => "price",
        Table::Budget => "budget",
        Table::Limits => "limits",
        Table::Hole => "hole",
        Table::Grant => "grant",
    }
}

fn object(table: Table) -> Json {
    let properties: Map<String, Json> = table
        .keys()
        .map(|key| (key.name.to_owned(), property(key)))
        .collect();
    let required: Vec<&str> = table
        .keys()
        .filter(|key| key.required && key.providers.is_empty())
        .map(|key| key.name)
        .collect();
    let mut object = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if let Json::Object(object) = &mut object {
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
        let rules = rules(table);
        if !rules.is_empty() {
            object.insert("allOf".to_owned(), Json::Array(rules));
        }
    }
    object
}

fn property(key: &ManifestKey) -> Json {
    let mut value = match key.kind {
        Kind::One => json!({ "const": 1 }),
        Kind::Text => json!({ "type": "string" }),
        Kind::SomeTexts => {
            json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true, "minItems": 1 })
        }
        Kind::Of(known) => {
            json!({ "type": "array", "items": { "enum": known }, "uniqueItems": true })
        }
        Kind::Choice(known) => json!({ "enum": known }),
        Kind::Count => json!({ "type": "integer", "minimum": 0 }),
        Kind::Positive => json!({ "type": "integer", "minimum": 1 }),
        Kind::SmallCount => json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }),
        Kind::Amount => json!({ "type": "number", "minimum": 0 }),
        Kind::Usd => json!({ "$ref": "#/$defs/usd" }),
        Kind::Size => json!({ "$ref": "#/$defs/size" }),
        Kind::Time => json!({ "$ref": "#/$defs/time" }),
        Kind::Inner(table) => reference(table),
        Kind::Named(table) => json!({ "type": "object", "additionalProperties": reference(table) }),
        Kind::NamedTexts => named(json!({ "type": "string" })),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Texts => texts(),
        Kind::FlagOrTexts => json!({ "oneOf": [{ "type": "boolean" }, texts()] }),
        Kind::NamedCounts => named(json!({ "type": "integer", "minimum": 0 })),
        Kind::NamedLabels => {
            named(json!({ "type": "array", "items": { "enum": LABELS }, "uniqueItems": true }))
        }
        Kind::Rules => named(named(json!({ "$ref": "#/$defs/rules" }))),
        Kind::Headers => named(json!({
            "type": "object",
            "properties": { "env": { "type": "string" } },
            "required": ["env"],
            "additionalProperties": false,
        })),
    };
    if let Json::Object(value) = &mut value {
        let default = key.default.map(|default| format!("; default {default}"));
        let text = format!("{}{}", key.meaning, default.unwrap_or_default());
        value.insert("description".to_owned(), json!(text));
    }
    value
}

fn texts() -> Json {
    json!({ "type": "array", "items": { "type": "string" } })
}

/// A table under names that the author chooses.
fn named(value: Json) -> Json {
    json!({ "type": "object", "additionalProperties": value })
}

/// Rules by parameter, or by a field of one: a table that is no rule holds the rules of its fields.
fn argument_rules() -> Json {
    let value = |name: &str| match name {
        "one-of" => {
            json!({ "type": "array", "items": { "type": ["string", "number", "boolean"] } })
        }
        "min" | "max" => json!({ "type": "number" }),
        "max-len" => json!({ "type": "integer", "minimum": 0 }),
        "from" => json!({ "type": "string", "pattern": "^parameter:" }),
        "none" => json!({ "type": "boolean" }),
        _ => json!({ "type": "string" }),
    };
    let mut properties = Map::new();
    for (name, meaning) in RULES {
        // A field of a record may have the name of a rule.
        let either = json!({
            "description": meaning,
            "anyOf": [value(name), { "$ref": "#/$defs/rules" }],
        });
        properties.insert((*name).to_owned(), either);
    }
    json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": { "$ref": "#/$defs/rules" },
    })
}

fn reference(table: Table) -> Json {
    json!({ "$ref": format!("#/$defs/{}", definition(table)) })
}

fn with_unit(description: &str, units: &str) -> Json {
    json!({
        "description": description,
        "oneOf": [
            { "const": 0 },
            { "type": "string", "pattern": format!("^\\s*([0-9]+\\s*({units})|0)\\s*$") },
        ],
    })
}

/// Keys of one provider: needed with it, refused with others.
fn rules(table: Table) -> Vec<Json> {
    let mut rules = Vec::new();
    for key in table.keys().filter(|key| !key.providers.is_empty()) {
        let built_in = key.providers.iter().any(|owner| is_built_in(owner));
        let owners: Vec<&str> = key
            .providers
            .iter()
            .copied()
            .filter(|owner| !is_built_in(owner))
            .collect();
        let owned = match (owners.is_empty(), built_in) {
            (true, _) => json!({ "not": { "required": ["provider"] } }),
            (false, false) => {
                json!({ "required": ["provider"], "properties": { "provider": { "enum": owners } } })
            }
            (false, true) => json!({ "properties": { "provider": { "enum": owners } } }),
        };
        rules.push(json!({ "if": { "required": [key.name] }, "then": owned }));
        // Which built-in interface a grant is of, the plan says.
        if key.required && !built_in {
            rules.push(json!({ "if": owned, "then": { "required": [key.name] } }));
        }
    }
    rules
}
