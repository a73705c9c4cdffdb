//! Which answer a function gets.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::resources;
use crate::scope::ScopeImport;
use crate::value::{self, Type, Value};

/// The answers of one function, read once. Handles in them are still names, as strings.
#[derive(Debug)]
pub(super) enum Answers {
    /// The function has no result.
    Nothing,
    /// The same for every call.
    Always(Value),
    /// One for each call, in order.
    Each {
        /// The answers.
        values: Vec<Value>,
        /// Says where they stand, for the call that finds none left.
        place: String,
    },
    /// There is none, or it does not fit: every call fails with this message.
    Wrong(String),
}

impl Answers {
    /// Reads the answers under a key. A value that fits the type is the answer; otherwise an array whose elements all
    /// fit is a sequence. So a list function is given a list of lists for a sequence, and nothing has to be marked.
    pub(super) fn read(json: &Json, ty: &Type, key: &str, file: &Path) -> Self {
        let place = format!("`{key}` in {}", file.display());
        let wrong = match one(json, ty) {
            Ok(value) => return Self::Always(value),
            Err(wrong) => wrong,
        };
        if let Json::Array(items) = json
            && let Ok(values) = items.iter().map(|item| one(item, ty)).collect()
        {
            return Self::Each { values, place };
        }
        Self::Wrong(format!("the answer {place} does not fit: {wrong}"))
    }

    /// The answer of the call number `used`, from 0.
    pub(super) fn choose(&self, used: usize) -> Result<Option<&Value>, String> {
        match self {
            Self::Nothing => Ok(None),
            Self::Always(value) => Ok(Some(value)),
            Self::Each { values, place } => values.get(used).map(Some).ok_or_else(|| {
                format!(
                    "{place} has {} answers, and this is call {}",
                    values.len(),
                    used + 1
                )
            }),
            Self::Wrong(message) => Err(message.clone()),
        }
    }
}

/// One answer: JSON of the type, or a string that is WAVE text of it.
fn one(json: &Json, ty: &Type) -> Result<Value, String> {
    let named = resources::named(ty);
    let from_json = value::from_json(json, &named)
        .map_err(|error| error.to_string())
        .and_then(|value| resources::check_names(value, ty));
    let wrong = match (from_json, json) {
        (Ok(value), _) => return Ok(value),
        (Err(wrong), Json::String(text)) => match value::parse_wave(text, &named)
            .map_err(|_| ())
            .and_then(|value| resources::check_names(value, ty).map_err(|_| ()))
        {
            Ok(value) => return Ok(value),
            Err(()) => wrong,
        },
        (Err(wrong), _) => wrong,
    };
    Err(wrong)
}

/// What an import may be called in a key, most specific first.
pub(super) fn names_of(import: &ScopeImport) -> Vec<String> {
    let mut names = vec![import.label.clone(), import.import_name.clone()];
    if let Some(interface) = &import.interface {
        names.push(interface.clone());
        let without_version = interface.split('@').next().unwrap_or(interface);
        names.push(without_version.to_owned());
        if let Some(last) = without_version.rsplit('/').next() {
            names.push(last.to_owned());
        }
    }
    names
}

/// The answers of a function and their key, most specific first: with the import's name before without, and
/// `[method]file.read` before `file.read`.
pub(super) fn find<'a>(
    answers: &'a Map<String, Json>,
    imports: &[String],
    function: &str,
) -> Option<(&'a str, &'a Json)> {
    let short = match function.split_once(']') {
        Some(("[constructor", resource)) => format!("{resource}.constructor"),
        Some((_, rest)) => rest.to_owned(),
        None => function.to_owned(),
    };
    let spellings = [function, short.as_str()];
    let prefixed = imports
        .iter()
        .flat_map(|import| spellings.map(|spelling| format!("{import}.{spelling}")));
    prefixed
        .chain(spellings.map(str::to_owned))
        .find_map(|key| answers.get_key_value(&key))
        .map(|(key, json)| (key.as_str(), json))
}
