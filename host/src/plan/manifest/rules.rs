//! `where`: rules on the arguments of granted functions.

use toml::de::{DeTable, DeValue};

use super::Spanned;
use super::document::{Document, Item, Key};
use super::grants::rule_names;
use crate::error::{Fault, Place};

/// The rules on one argument, or on a part of it.
#[derive(Clone, Debug)]
pub struct ArgumentRule {
    /// The function, as the manifest writes it.
    pub function: Spanned<String>,
    /// The parameter and the way into it: `payee`, `message.to[]`.
    pub path: Spanned<String>,
    /// What it must pass, all of it.
    pub tests: Vec<Spanned<Test>>,
    /// Whether an absent option passes too (`none = true`).
    pub none: bool,
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// `one-of`: texts, numbers or booleans.
    OneOf(Vec<Scalar>),
    /// `prefix`.
    Prefix(String),
    /// `matches`: a regular expression that the whole text must match.
    Matches(String),
    /// `min`.
    Min(Number),
    /// `max`.
    Max(Number),
    /// `max-len`: characters, bytes, or elements.
    MaxLen(u64),
    /// `from = "parameter:…"`: what stands behind the colon.
    From(String),
}

/// A value that an argument may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A text, a character, an enum's case.
    Text(String),
    /// A number.
    Number(Number),
    /// A boolean.
    Flag(bool),
}

/// A number, exact if it is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Whole(i128),
    /// One with a fraction, or too large for whole ones.
    Real(f64),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
        }
    }
}

/// Reads `where`.
pub(super) fn read(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Vec<ArgumentRule> {
    let mut rules = Vec::new();
    document.named_tables(name, value, |document, function, _, table| {
        for (parameter, value) in document.entries(table) {
            if let Some(table) = document.as_table(&parameter, value) {
                read_argument(document, function, &parameter, table, &mut rules);
            }
        }
    });
    rules
}

/// Reads the rules of one argument. A table in it that is no rule holds those of a field: `where.send.message.to`.
fn read_argument(
    document: &mut Document<'_>,
    function: &Key,
    path: &Key,
    table: &DeTable<'_>,
    rules: &mut Vec<ArgumentRule>,
) {
    let mut rule = ArgumentRule {
        function: function.clone(),
        path: path.clone(),
        tests: Vec::new(),
        none: false,
    };
    let before = rules.len();
    let mut faulty = false;
    for (name, value) in document.entries(table) {
        if let Some(fields) = value.get_ref().as_table() {
            let inner = Spanned {
                value: format!("{}.{}", path.value, name.value),
                place: name.place.clone(),
            };
            read_argument(document, function, &inner, fields, rules);
        } else if name.value == "none" {
            rule.none = document.flag(&name, value).unwrap_or(false);
        } else if document.one_of("rule", &name, &rule_names(), &[])
            && let Some(test) = read_test(document, &name, value)
        {
            let place = document.place(value.span());
            rule.tests.push(Spanned { value: test, place });
        } else {
            faulty = true;
        }
    }
    if !rule.tests.is_empty() {
        rules.push(rule);
    } else if rules.len() == before && !faulty {
        no_rule(document, path.place.clone());
    }
}

fn no_rule(document: &mut Document<'_>, place: Place) {
    document.push(
        Fault::new("there is no rule here")
            .at(place)
            .hint(format!("rules are {}", rule_names().join(", "))),
    );
}

fn read_test(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Test> {
    Some(match name.value.as_str() {
        "one-of" => Test::OneOf(scalars(document, name, value)?),
        "prefix" => Test::Prefix(document.text(name, value)?.value),
        "matches" => {
            let text = document.text(name, value)?.value;
            // Only to tell what is wrong with it; `grant` makes the one that is used.
            if let Err(error) = regex_syntax::parse(&text) {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default();
                let message = format!(
                    "`matches`: the regular expression is not valid: {}",
                    reason.trim_start_matches("error: ")
                );
                document.fault(value.span(), Fault::new(message));
                return None;
            }
            Test::Matches(text)
        }
        "min" => Test::Min(number(document, name, value)?),
        "max" => Test::Max(number(document, name, value)?),
        "max-len" => Test::MaxLen(document.number(name, value)?),
        _ => {
            let text = document.text(name, value)?.value;
            let Some(path) = text.strip_prefix("parameter:") else {
                let message = format!("`from`: \"{text}\" names no parameter");
                let hint = "write `from = \"parameter:NAME\"`, a parameter of the hole's function";
                document.fault(value.span(), Fault::new(message).hint(hint));
                return None;
            };
            Test::From(path.to_owned())
        }
    })
}

fn scalars(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Vec<Scalar>> {
    let Some(items) = value.get_ref().as_array() else {
        document.wrong_type(name, value, "a list", None);
        return None;
    };
    let mut scalars = Vec::new();
    for item in items.iter() {
        scalars.push(match item.get_ref() {
            DeValue::String(text) => Scalar::Text(text.to_string()),
            DeValue::Boolean(flag) => Scalar::Flag(*flag),
            _ => Scalar::Number(number(document, name, item)?),
        });
    }
    Some(scalars)
}

fn number(document: &mut Document<'_>, name: &Key, value: &Item<'_>) -> Option<Number> {
    let read = match value.get_ref() {
        DeValue::Integer(number) => {
            let digits = number.as_str();
            i128::from_str_radix(digits, number.radix())
                .ok()
                .map(Number::Whole)
        }
        DeValue::Float(number) => {
            let read = number.as_str().parse::<f64>().ok();
            read.filter(|number| !number.is_nan()).map(Number::Real)
        }
        _ => {
            document.wrong_type(name, value, "a number", None);
            return None;
        }
    };
    if read.is_none() {
        let message = format!("`{}` must be a number", name.value);
        document.fault(value.span(), Fault::new(message));
    }
    read
}
