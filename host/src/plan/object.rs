//! The JSON objects of a plan: arguments (`--args-json`) and answers of stubs.

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::{Fault, Place};

/// The object that a JSON file holds.
pub(crate) fn parse_object(
    name: &str,
    bytes: &[u8],
) -> Result<serde_json::Map<String, serde_json::Value>, Fault> {
    match serde_json::from_slice(bytes) {
        Ok(Members(object)) => Ok(object),
        Err(error) if error.is_data() && error.to_string().starts_with("invalid type") => {
            Err(Fault::new(format!("`{name}` must hold a JSON object")))
        }
        Err(error) => {
            let text = String::from_utf8_lossy(bytes);
            let line_start = text
                .split_inclusive('\n')
                .take(error.line().saturating_sub(1))
                .map(str::len)
                .sum::<usize>();
            let at = line_start + error.column().saturating_sub(1);
            // serde_json ends its message with the place, which is drawn here.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            let message = if error.is_data() {
                message.to_owned()
            } else {
                format!("`{name}` is no JSON: {message}")
            };
            Err(Fault::new(message).at(Place::of_bytes(name, &text, at, at + 1)))
        }
    }
}

/// The members of an object, each of which stands once: JSON itself would take the last one.
struct Members(serde_json::Map<String, serde_json::Value>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;
        impl<'de> Visitor<'de> for Once {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Members, A::Error> {
                let mut members = serde_json::Map::new();
                while let Some(key) = access.next_key::<String>()? {
                    if members.contains_key(&key) {
                        return Err(A::Error::custom(format!("`{key}` stands twice")));
                    }
                    let value = access.next_value()?;
                    members.insert(key, value);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_stands_once_and_its_second_place_is_told() {
        let read = |text: &str| parse_object("a.json", text.as_bytes());
        assert_eq!(read("{\"a\": {\"b\": 1}}").unwrap().len(), 1);
        let twice = read("{\"a\": 1,\n \"a\": 2}").unwrap_err();
        assert_eq!(twice.message, "`a` stands twice");
        assert_eq!(twice.place.clone().unwrap().line, 2);
        assert_eq!(
            read("[]").unwrap_err().message,
            "`a.json` must hold a JSON object"
        );
        assert!(
            read("{")
                .unwrap_err()
                .message
                .starts_with("`a.json` is no JSON")
        );
    }
}
