//! The types of `lacuna:sql/types`, as the engine copies them, and why a call ends without a value.

use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::capability::call::Crossing;
use crate::capability::refusal;
use crate::trace::text;
use crate::value::float_to_json;

/// `value`.
#[derive(Clone, Debug, PartialEq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum Value {
    #[component(name = "null")]
    Null,
    #[component(name = "integer")]
    Integer(i64),
    #[component(name = "real")]
    Real(f64),
    #[component(name = "text")]
    Text(String),
    #[component(name = "blob")]
    Blob(Vec<u8>),
}

impl Crossing for Value {
    fn bytes(&self) -> u64 {
        let held = match self {
            Self::Text(text) => text.len(),
            Self::Blob(bytes) => bytes.len(),
            _ => 0,
        };
        (size_of::<Self>() + held) as u64
    }

    fn report(&self) -> Json {
        match self {
            Self::Null => json!({ "null": null }),
            Self::Integer(number) => json!({ "integer": number }),
            Self::Real(number) => json!({ "real": float_to_json(*number) }),
            Self::Text(said) => json!({ "text": text(said) }),
            Self::Blob(bytes) => json!({ "blob": bytes.report() }),
        }
    }

    fn exact(&self) -> Json {
        match self {
            Self::Text(text) => json!({ "text": text }),
            Self::Blob(bytes) => json!({ "blob": bytes }),
            _ => self.report(),
        }
    }
}

impl Crossing for Vec<Value> {
    fn bytes(&self) -> u64 {
        self.iter().map(Crossing::bytes).sum()
    }

    fn report(&self) -> Json {
        self.iter().map(Crossing::report).collect()
    }

    fn exact(&self) -> Json {
        self.iter().map(Crossing::exact).collect()
    }
}

/// `rows`.
#[derive(Clone, Debug, Default, PartialEq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Rows {
    /// Names, as SQLite gives them.
    pub(crate) columns: Vec<String>,
    /// As many values in each.
    pub(crate) rows: Vec<Vec<Value>>,
}

/// What a row weighs beside its values.
pub(super) const ROW: u64 = size_of::<Vec<Value>>() as u64;

impl Crossing for Rows {
    fn bytes(&self) -> u64 {
        let rows: u64 = self.rows.iter().map(|row| ROW + row.bytes()).sum();
        self.columns.bytes() + rows
    }

    fn report(&self) -> Json {
        let rows: Json = self.rows.iter().map(Crossing::report).collect();
        json!({ "columns": self.columns.report(), "rows": rows })
    }
}

/// `error`; sql.wit says what each case means. The texts are SQLite's or ours: neither path nor data of a table that is
/// not granted stands in them.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum SqlError {
    #[component(name = "denied")]
    Denied(String),
    #[component(name = "invalid")]
    Invalid(String),
    #[component(name = "constraint")]
    Constraint(String),
    #[component(name = "too-large")]
    TooLarge(String),
    #[component(name = "busy")]
    Busy(String),
    #[component(name = "other")]
    Other(String),
}

impl SqlError {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Denied(text) => ("denied", text),
            Self::Invalid(text) => ("invalid", text),
            Self::Constraint(text) => ("constraint", text),
            Self::TooLarge(text) => ("too-large", text),
            Self::Busy(text) => ("busy", text),
            Self::Other(text) => ("other", text),
        }
    }
}

impl Crossing for SqlError {
    fn bytes(&self) -> u64 {
        self.parts().1.len() as u64 + size_of::<Self>() as u64
    }

    fn report(&self) -> Json {
        let (case, said) = self.parts();
        json!({ case: text(said) })
    }
}

/// Why a call gives no value.
pub(crate) type Refusal = refusal::Refusal<SqlError>;

impl From<SqlError> for Refusal {
    fn from(error: SqlError) -> Self {
        Self::Error(error)
    }
}
