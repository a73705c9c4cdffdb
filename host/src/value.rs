//! Values of WIT types: their type, WAVE text, and JSON (CONTRACTS section 2).
//!
//! Nothing here knows where a value came from: every error names the place *inside* the value, and whoever read the
//! text adds the file.

mod difference;
mod json;
mod types;
mod wave;

use std::fmt;
use std::ops::Range;

use thiserror::Error;
pub use wasmtime::component::Val as Value;

pub(crate) use json::float_to_json;
pub use json::{from_json, to_json};
pub use types::{Named, Type, TypeError};
pub use wave::{Call, parse_call, parse_wave, to_wave};

/// Text or JSON that is no value of the wanted type.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ValueError {
    /// Place inside the value: `rows[2].name`; empty for the value itself.
    pub path: String,
    /// What is wrong there: `expected u32, found "x"`.
    pub message: String,
    /// WIT text of the type that was wanted at that place.
    pub expected: String,
    /// Bytes of the text that the message is about; `None` for JSON, which has been parsed by then.
    pub span: Option<Range<usize>>,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "{}", self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl ValueError {
    fn new(ty: &Type, message: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            message: message.into(),
            expected: ty.to_string(),
            span: None,
        }
    }

    fn mismatch(ty: &Type, found: impl fmt::Display) -> Self {
        Self::new(ty, format!("expected {}, found {found}", ty.described()))
    }

    /// The same error seen from the value around it: `segment` is `.name`, `[2]`, …
    #[must_use]
    fn within(mut self, segment: &str) -> Self {
        let joint = if self.path.is_empty() || self.path.starts_with('[') {
            ""
        } else {
            "."
        };
        self.path = format!("{segment}{joint}{}", self.path);
        self
    }
}

/// Whether a value that a host program made is one of `ty`. A handle is taken on trust: its type is checked where it is
/// used.
pub fn fits(value: &Value, ty: &Type) -> bool {
    let payload = |value: &Option<Box<Value>>, ty: Option<&Type>| match (value, ty) {
        (None, None) => true,
        (Some(value), Some(ty)) => fits(value, ty),
        _ => false,
    };
    match (value, ty) {
        (Value::Bool(_), Type::Bool)
        | (Value::S8(_), Type::S8)
        | (Value::U8(_), Type::U8)
        | (Value::S16(_), Type::S16)
        | (Value::U16(_), Type::U16)
        | (Value::S32(_), Type::S32)
        | (Value::U32(_), Type::U32)
        | (Value::S64(_), Type::S64)
        | (Value::U64(_), Type::U64)
        | (Value::Float32(_), Type::F32)
        | (Value::Float64(_), Type::F64)
        | (Value::Char(_), Type::Char)
        | (Value::String(_), Type::String)
        | (Value::Resource(_), Type::Own(_) | Type::Borrow(_))
        | (Value::Option(None), Type::Option(_)) => true,
        (Value::Option(Some(value)), Type::Option(inner)) => fits(value, inner),
        (Value::List(values), Type::List(element)) => {
            values.iter().all(|value| fits(value, element))
        }
        (Value::Tuple(values), Type::Tuple(types)) => {
            values.len() == types.len()
                && values.iter().zip(types).all(|(value, ty)| fits(value, ty))
        }
        (Value::Record(values), Type::Record { fields, .. }) => {
            values.len() == fields.len()
                && values
                    .iter()
                    .zip(fields)
                    .all(|((name, value), (field, ty))| name == field && fits(value, ty))
        }
        (Value::Variant(case, value), Type::Variant { cases, .. }) => cases
            .iter()
            .any(|(name, ty)| name == case && payload(value, ty.as_ref())),
        (Value::Enum(case), Type::Enum { cases, .. }) => cases.contains(case),
        (Value::Flags(given), Type::Flags { names, .. }) => {
            given.iter().all(|name| names.contains(name))
        }
        (Value::Result(Ok(value)), Type::Result { ok, .. }) => payload(value, ok.as_deref()),
        (Value::Result(Err(value)), Type::Result { err, .. }) => payload(value, err.as_deref()),
        _ => false,
    }
}

/// Bytes of a value's content, as the component lays it out: a number its width, a text or a list its content and the
/// eight bytes that point to it. What the limit `result` counts.
pub fn content(value: &Value) -> u64 {
    const POINTER: u64 = 8;
    let all = |values: &[Value]| values.iter().map(content).sum::<u64>();
    let payload = |value: &Option<Box<Value>>| 1 + value.as_deref().map_or(0, content);
    match value {
        Value::String(text) => POINTER + text.len() as u64,
        Value::List(values) => POINTER + all(values),
        Value::Tuple(values) | Value::FixedLengthList(values) => all(values),
        Value::Map(pairs) => {
            let content = |(key, value): &(Value, Value)| content(key) + content(value);
            POINTER + pairs.iter().map(content).sum::<u64>()
        }
        Value::Record(fields) => fields.iter().map(|(_, value)| content(value)).sum(),
        Value::Variant(_, value) | Value::Option(value) => payload(value),
        Value::Result(Ok(value) | Err(value)) => payload(value),
        Value::Flags(names) => (names.len() as u64).div_ceil(8).max(1),
        Value::Bool(_) | Value::S8(_) | Value::U8(_) | Value::Enum(_) => 1,
        Value::S16(_) | Value::U16(_) => 2,
        Value::S64(_) | Value::U64(_) | Value::Float64(_) => 8,
        Value::S32(_)
        | Value::U32(_)
        | Value::Float32(_)
        | Value::Char(_)
        | Value::Resource(_)
        | Value::Future(_)
        | Value::Stream(_)
        | Value::ErrorContext(_) => 4,
    }
}

/// Bytes that a value takes in the host: what the limit `crossing` counts.
pub fn size(value: &Value) -> u64 {
    size_of::<Value>() as u64 + heap_size(value)
}

fn heap_size(value: &Value) -> u64 {
    let label = |name: &String| (size_of::<String>() + name.len()) as u64;
    let payload = |value: &Option<Box<Value>>| value.as_deref().map_or(0, size);
    match value {
        Value::String(text) => text.len() as u64,
        Value::List(values) | Value::Tuple(values) | Value::FixedLengthList(values) => {
            values.iter().map(size).sum()
        }
        Value::Map(pairs) => pairs
            .iter()
            .map(|(key, value)| size(key) + size(value))
            .sum(),
        Value::Record(fields) => fields
            .iter()
            .map(|(name, value)| label(name) + size(value))
            .sum(),
        Value::Variant(case, value) => case.len() as u64 + payload(value),
        Value::Enum(case) => case.len() as u64,
        Value::Option(value) => payload(value),
        Value::Result(Ok(value) | Err(value)) => payload(value),
        Value::Flags(names) => names.iter().map(label).sum(),
        Value::Bool(_)
        | Value::S8(_)
        | Value::U8(_)
        | Value::S16(_)
        | Value::U16(_)
        | Value::S32(_)
        | Value::U32(_)
        | Value::S64(_)
        | Value::U64(_)
        | Value::Float32(_)
        | Value::Float64(_)
        | Value::Char(_)
        | Value::Resource(_)
        | Value::Future(_)
        | Value::Stream(_)
        | Value::ErrorContext(_) => 0,
    }
}

/// At most forty characters of a text, on one line, for a message.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == 40 {
            short.push('…');
            break;
        }
        short.push(if character.is_control() {
            ' '
        } else {
            character
        });
    }
    short
}

#[cfg(test)]
mod tests;
