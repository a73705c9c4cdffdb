//! Holding a call to its rules.

use std::cmp::Ordering;
use std::fmt;

use serde_json::Value as Json;

use super::path::{self, Step};
use super::{Check, Condition, Rules};
use crate::plan::manifest::{Number, Scalar};
use crate::value::Type;

/// A rule that a call breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule as the manifest names it: `payee: one-of`.
    pub rule: String,
    /// What it wants, as a sentence.
    pub wants: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.wants)
    }
}

impl Rules {
    /// Whether the arguments keep the rules. They are in the JSON of CONTRACTS section 2, in the order of the parameters;
    /// `hole` has the hole's own arguments by name.
    ///
    /// # Errors
    /// The first rule that is broken. It never quotes the argument, which may be what must not get out.
    pub fn check(&self, arguments: &[Json], hole: &[(String, Json)]) -> Result<(), Violation> {
        for condition in &self.arguments {
            let broken = match arguments.get(condition.parameter) {
                Some(argument) => condition.broken(argument, &condition.ty, &condition.steps, hole),
                None => Some("parameter"),
            };
            if let Some(test) = broken {
                let which = match condition.tests.len() {
                    1 => String::new(),
                    _ => format!(" (not so: `{test}`)"),
                };
                return Err(Violation {
                    rule: format!("{}: {test}", condition.path),
                    wants: format!("{condition}{which}"),
                });
            }
        }
        Ok(())
    }
}

impl Condition {
    /// The name of the test that the value at the end of `steps` does not pass.
    fn broken(
        &self,
        value: &Json,
        ty: &Type,
        steps: &[Step],
        hole: &[(String, Json)],
    ) -> Option<&'static str> {
        if let Type::Option(inner) = ty {
            return match value {
                Json::Null if steps.contains(&Step::Each) || self.none => None,
                Json::Null => self.absent(hole),
                // An option of an option tells its two nothings apart by an object around the inner one.
                value if matches!(**inner, Type::Option(_)) => match value.get("some") {
                    Some(value) => self.broken(value, inner, steps, hole),
                    None => Some("form"),
                },
                value => self.broken(value, inner, steps, hole),
            };
        }
        let Some((step, rest)) = steps.split_first() else {
            let mut tests = self.tests.iter();
            return tests.find(|test| !test.holds(value, hole)).map(Check::name);
        };
        let Some(next) = path::next(ty, step) else {
            return Some("path");
        };
        match (ty, step) {
            (Type::List(_) | Type::Flags { .. }, Step::Each) => match value.as_array() {
                Some(items) => items
                    .iter()
                    .find_map(|item| self.broken(item, &next, rest, hole)),
                None => Some("form"),
            },
            (Type::Tuple(_), Step::Field(at)) => {
                match at.parse::<usize>().ok().and_then(|at| value.get(at)) {
                    Some(item) => self.broken(item, &next, rest, hole),
                    None => Some("form"),
                }
            }
            (Type::Record { .. }, Step::Field(name)) => match value.get(name) {
                Some(field) => self.broken(field, &next, rest, hole),
                None => Some("form"),
            },
            // The rule is about this case; another one has no such part.
            (_, Step::Field(name)) => {
                let payload = value.get(name)?;
                self.broken(payload, &next, rest, hole)
            }
            _ => Some("path"),
        }
    }

    /// An option that is absent passes only what asks nothing of a value, and `from` an argument that is absent too.
    fn absent(&self, hole: &[(String, Json)]) -> Option<&'static str> {
        let passes = |test: &&Check| match test {
            Check::MaxLen(_) => true,
            Check::From { .. } => test.holds(&Json::Null, hole),
            _ => false,
        };
        self.tests
            .iter()
            .find(|test| !passes(test))
            .map(Check::name)
    }
}

impl Check {
    fn name(&self) -> &'static str {
        match self {
            Self::OneOf(_) => "one-of",
            Self::Prefix(_) => "prefix",
            Self::Matches { .. } => "matches",
            Self::Min(_) => "min",
            Self::Max(_) => "max",
            Self::MaxLen(_) => "max-len",
            Self::From { .. } => "from",
        }
    }

    fn holds(&self, value: &Json, hole: &[(String, Json)]) -> bool {
        let text = || value.as_str();
        match self {
            Self::OneOf(values) => values.iter().any(|wanted| equals(wanted, value)),
            Self::Prefix(prefix) => text().is_some_and(|text| text.starts_with(prefix)),
            Self::Matches { whole, .. } => text().is_some_and(|text| whole.is_match(text)),
            Self::Min(least) => number(value)
                .and_then(|number| compare(number, *least))
                .is_some_and(Ordering::is_ge),
            Self::Max(most) => number(value)
                .and_then(|number| compare(number, *most))
                .is_some_and(Ordering::is_le),
            Self::MaxLen(most) => {
                let length = match value {
                    Json::String(text) => text.chars().count(),
                    Json::Array(items) => items.len(),
                    _ => return false,
                };
                length as u64 <= *most
            }
            Self::From {
                parameter, steps, ..
            } => hole
                .iter()
                .find(|(name, _)| name == parameter)
                .is_some_and(|(_, given)| comes_from(value, given, steps)),
        }
    }
}

/// Whether a value is the one at the end of `steps`, or one of its elements.
fn comes_from(value: &Json, given: &Json, steps: &[Step]) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        let items = given.as_array().map_or(&[][..], Vec::as_slice);
        return same(value, given) || items.iter().any(|item| same(value, item));
    };
    match (step, given) {
        (Step::Each, Json::Array(items)) => items.iter().any(|item| comes_from(value, item, rest)),
        (Step::Field(name), Json::Array(items)) => name
            .parse::<usize>()
            .ok()
            .and_then(|at| items.get(at))
            .is_some_and(|item| comes_from(value, item, rest)),
        (Step::Field(name), Json::Object(fields)) => fields
            .get(name)
            .is_some_and(|field| comes_from(value, field, rest)),
        _ => false,
    }
}

/// Equal values; numbers by what they are and not by how they are written.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(_), Json::Number(_)) => number(one)
            .zip(number(other))
            .and_then(|(one, other)| compare(one, other))
            .is_some_and(Ordering::is_eq),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        _ => one == other,
    }
}

fn equals(wanted: &Scalar, value: &Json) -> bool {
    match wanted {
        Scalar::Text(text) => value.as_str() == Some(text),
        Scalar::Flag(flag) => value.as_bool() == Some(*flag),
        Scalar::Number(wanted) => {
            number(value).and_then(|number| compare(number, *wanted)) == Some(Ordering::Equal)
        }
    }
}

/// The number that a value is; infinities are texts in JSON, and `nan` is no number to compare with.
fn number(value: &Json) -> Option<Number> {
    match value {
        Json::Number(number) => number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from))
            .map(Number::Whole)
            .or_else(|| number.as_f64().map(Number::Real)),
        Json::String(text) if text == "inf" => Some(Number::Real(f64::INFINITY)),
        Json::String(text) if text == "-inf" => Some(Number::Real(f64::NEG_INFINITY)),
        _ => None,
    }
}

pub(super) fn compare(one: Number, other: Number) -> Option<Ordering> {
    match (one, other) {
        (Number::Whole(one), Number::Whole(other)) => Some(one.cmp(&other)),
        (Number::Real(one), Number::Real(other)) => one.partial_cmp(&other),
        (Number::Whole(one), Number::Real(other)) => (one as f64).partial_cmp(&other),
        (Number::Real(one), Number::Whole(other)) => one.partial_cmp(&(other as f64)),
    }
}
