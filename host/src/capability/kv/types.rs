//! The types of `lacuna:kv/types`, as the engine copies them, and why a call ends without a value.

use serde_json::{Value as Json, json};
use wasmtime::component::{ComponentType, Lift, Lower};

use crate::capability::call::Crossing;
use crate::capability::refusal;
use crate::trace::text;

/// `error`; kv.wit says what each case means. The texts hold the key as the guest gave it: neither the file nor the
/// granted prefix reaches a guest.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(variant)]
pub(crate) enum KvError {
    #[component(name = "invalid-key")]
    InvalidKey(String),
    #[component(name = "not-text")]
    NotText(String),
    #[component(name = "not-a-number")]
    NotANumber(String),
    #[component(name = "full")]
    Full(String),
    #[component(name = "other")]
    Other(String),
}

impl KvError {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::InvalidKey(text) => ("invalid-key", text),
            Self::NotText(text) => ("not-text", text),
            Self::NotANumber(text) => ("not-a-number", text),
            Self::Full(text) => ("full", text),
            Self::Other(text) => ("other", text),
        }
    }
}

impl Crossing for KvError {
    fn bytes(&self) -> u64 {
        self.parts().1.len() as u64 + size_of::<Self>() as u64
    }

    fn report(&self) -> Json {
        let (case, said) = self.parts();
        json!({ case: text(said) })
    }
}

/// `entry`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(crate) struct Entry {
    /// As the guest names it.
    pub(crate) key: String,
    /// Its value.
    pub(crate) value: Vec<u8>,
}

impl Entry {
    /// What one of them weighs in a list.
    pub(super) fn weight(key: &str, value: &[u8]) -> u64 {
        (size_of::<Self>() + key.len() + value.len()) as u64
    }
}

impl Crossing for Vec<Entry> {
    fn bytes(&self) -> u64 {
        self.iter()
            .map(|entry| Entry::weight(&entry.key, &entry.value))
            .sum()
    }

    fn report(&self) -> Json {
        self.iter()
            .map(|entry| json!({ "key": text(&entry.key), "value": entry.value.report() }))
            .collect()
    }
}

/// Why a call gives no value.
pub(crate) type Refusal = refusal::Refusal<KvError>;

impl From<KvError> for Refusal {
    fn from(error: KvError) -> Self {
        Self::Error(error)
    }
}
