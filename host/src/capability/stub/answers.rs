//! Which answer a function gets.

use std::path::Path;

use serde_json::{Map, Value as Json};

use crate::capability::resources;
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
        let Json::Array(items) = json else {
            return Self::Wrong(format!("the answer {place} does not fit: {wrong}"));
        };
        let read: Vec<_> = items.iter().map(|item| one(item, ty)).collect();
        // Where the type itself is written as an array, an array was more likely meant as one answer than as several.
        let is_one = matches!(ty, Type::List(_) | Type::Tuple(_) | Type::Flags { .. })
            && read.iter().all(Result::is_err);
        let mut values = Vec::with_capacity(items.len());
        for (at, value) in read.into_iter().enumerate() {
            match value {
                Ok(value) => values.push(value),
                Err(_) if is_one => {
                    return Self::Wrong(format!("the answer {place} does not fit: {wrong}"));
                }
                Err(wrong) => {
                    let number = at + 1;
                    return Self::Wrong(format!(
                        "answer {number} of {place} does not fit: {wrong}"
                    ));
                }
            }
        }
        Self::Each { values, place }
    }

    /// The answer of the call number `used`, from 0.
    pub(super) fn choose(&self, used: usize) -> Result<Option<&Value>, String> {
        match self {
            Self::Nothing => Ok(None),
            Self::Always(value) => Ok(Some(value)),
            Self::Each { values, place } => values.get(used).map(Some).ok_or_else(|| {
                let many = if values.len() == 1 { "" } else { "s" };
                format!(
                    "{place} has {} answer{many}, and this is call {}",
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: &Json, ty: &Type) -> Answers {
        Answers::read(json, ty, "f", Path::new("a.json"))
    }

    fn text(text: &str) -> Value {
        Value::String(text.to_owned())
    }

    fn result_of_texts() -> Type {
        Type::Result {
            ok: Some(Box::new(Type::String)),
            err: Some(Box::new(Type::String)),
        }
    }

    #[test]
    fn a_value_that_fits_is_the_answer_and_an_array_of_such_is_a_sequence() {
        let list = Type::List(Box::new(Type::U32));
        let answers = read(&json!([1, 2]), &list);
        assert_eq!(
            answers.choose(9),
            Ok(Some(&Value::List(vec![Value::U32(1), Value::U32(2)])))
        );
        let answers = read(&json!([[1], []]), &list);
        assert_eq!(answers.choose(1), Ok(Some(&Value::List(vec![]))));
        assert!(answers.choose(2).is_err());
    }

    #[test]
    fn a_string_is_read_as_wave_only_where_it_is_no_value() {
        let answers = read(
            &json!(["ok(\"a\")", { "err": "b" }, "err(\"c\")"]),
            &result_of_texts(),
        );
        let texts: Vec<_> = (0..3)
            .map(|call| answers.choose(call).unwrap().cloned())
            .collect();
        let boxed = |value: &str| Some(Box::new(text(value)));
        assert_eq!(
            texts,
            [
                Some(Value::Result(Ok(boxed("a")))),
                Some(Value::Result(Err(boxed("b")))),
                Some(Value::Result(Err(boxed("c")))),
            ]
        );
        // A text function gets the text as it stands.
        let answers = read(&json!("\"a\""), &Type::String);
        assert_eq!(answers.choose(0), Ok(Some(&text("\"a\""))));
    }

    #[test]
    fn handles_are_names_with_a_mark() {
        let own = Type::Own("file".to_owned());
        assert_eq!(read(&json!("@1"), &own).choose(0), Ok(Some(&text("@1"))));
        let list = Type::List(Box::new(own.clone()));
        assert!(matches!(
            read(&json!(["@a", "@b"]), &list),
            Answers::Always(_)
        ));
        assert!(matches!(
            read(&json!(["@a", "@b"]), &own),
            Answers::Each { .. }
        ));
        for wrong in [json!("1"), json!("@"), json!(1), json!(["@1", "x"])] {
            assert!(matches!(read(&wrong, &own), Answers::Wrong(_)), "{wrong}");
        }
    }

    #[test]
    fn the_more_specific_key_wins() {
        let imports = ["vault".to_owned(), "t:h/secrets".to_owned()];
        let keys = [
            "vault.[method]secret.open",
            "vault.secret.open",
            "t:h/secrets.secret.open",
            "[method]secret.open",
            "secret.open",
        ];
        for (at, expected) in keys.iter().enumerate() {
            let answers: Map<_, _> = keys[at..]
                .iter()
                .rev()
                .map(|key| ((*key).to_owned(), json!(1)))
                .collect();
            let (found, _) = find(&answers, &imports, "[method]secret.open").unwrap();
            assert_eq!(found, *expected);
        }
        assert!(find(&Map::new(), &imports, "f").is_none());
        let constructor = Map::from_iter([("secret.constructor".to_owned(), json!("@1"))]);
        assert!(find(&constructor, &imports, "[constructor]secret").is_some());
    }
}
