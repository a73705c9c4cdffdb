//! Keys: read from the environment once, held in a type that cannot be printed, masked in everything that comes back.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the providers' keys, which stand in the environment only"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::environment::{Role, VARIABLES, Variable};

/// The variables that models read. All keys of them are masked, whichever provider is asked: a program started by
/// `command:` sees them too.
fn models() -> impl Iterator<Item = &'static Variable> {
    VARIABLES
        .iter()
        .filter(|variable| matches!(variable.role, Role::Key | Role::Address | Role::Editor))
}

/// What stands in place of a key.
const MASK: &str = "***";

/// Shorter values are dummies such as `x`, and masking them would garble every message.
const SHORTEST_MASKED: usize = 4;

/// In an answer, which is code, only a value that cannot stand there by chance counts as a key.
const SHORTEST_IN_ANSWERS: usize = 12;

/// A key. On purpose without `Debug`, `Display` and `Serialize`: it cannot end in a message, a trace or a test's output
/// by accident.
///
/// ```compile_fail
/// fn print(secret: &lacuna::model::Secret) {
///     println!("{secret:?}");
/// }
/// ```
#[derive(Clone)]
pub struct Secret(Arc<str>);

impl Secret {
    /// The blanks and line ends around a key that a shell or a file brings along are no part of it; nothing else is
    /// no key.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.into()))
    }

    /// The key itself, for the one header that needs it.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

/// The variables that models need, read once at the edge: nothing below asks the process again, and a
/// host program can give others.
#[derive(Clone, Default)]
pub struct Environment {
    keys: BTreeMap<&'static str, Secret>,
    texts: BTreeMap<&'static str, String>,
    secrets: Secrets,
}

impl Environment {
    /// From the variables of this process. A value that is not UTF-8 is read as far as it goes.
    pub fn from_process() -> Self {
        Self::from_variables(models().filter_map(|variable| {
            let value = std::env::var_os(variable.name)?;
            Some((variable.name, value.to_string_lossy().into_owned()))
        }))
    }

    /// From given variables, under the names that they have in a process; others are passed over, blank ones are as if
    /// they were not set.
    pub fn from_variables<N: AsRef<str>, V: AsRef<str>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut environment = Self::default();
        for (name, value) in variables {
            let known = models().find(|known| known.name == name.as_ref());
            let (Some(known), Some(value)) = (known, Secret::new(value.as_ref())) else {
                continue;
            };
            if known.role == Role::Key {
                environment.keys.insert(known.name, value);
            } else {
                let value = value.expose().to_owned();
                environment.texts.insert(known.name, value);
            }
        }
        environment.secrets = Secrets(environment.keys.values().cloned().collect());
        environment
    }

    /// Whether the variable is set to more than blanks.
    pub fn is_set(&self, variable: &str) -> bool {
        self.keys.contains_key(variable) || self.texts.contains_key(variable)
    }

    /// The key in a variable.
    pub(super) fn key(&self, variable: &str) -> Option<&Secret> {
        self.keys.get(variable)
    }

    /// A variable that holds no key.
    pub(super) fn text(&self, variable: &str) -> Option<&str> {
        self.texts.get(variable).map(String::as_str)
    }

    /// All keys, for masking.
    pub(super) fn secrets(&self) -> Secrets {
        self.secrets.clone()
    }
}

/// All keys that are known, to keep them out of what is shown and written.
#[derive(Clone, Default)]
pub(super) struct Secrets(Arc<[Secret]>);

impl Secrets {
    /// `text` without keys: the known ones, anything that is sent as a bearer token, and anything of the forms `sk-…`
    /// and `AIza…`.
    /// Call it before a text is shortened, or half a key stays.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for secret in self.0.iter().filter(|s| s.0.len() >= SHORTEST_MASKED) {
            masked = masked.replace(secret.expose(), MASK);
        }
        [("bearer ", ""), ("sk-", "sk-"), ("aiza", "AIza")]
            .into_iter()
            .fold(masked, |text, (marker, keep)| {
                mask_after(&text, marker, keep)
            })
    }

    /// Whether a known key stands in a text that will be kept: an answer, a recording.
    pub(super) fn appear_in(&self, text: &str) -> bool {
        self.in_answers().any(|key| text.contains(key))
    }

    /// An answer without known keys, everything else byte for byte.
    pub(super) fn mask_known(&self, text: String) -> String {
        self.in_answers()
            .fold(text, |text, key| text.replace(key, MASK))
    }

    fn in_answers(&self) -> impl Iterator<Item = &str> {
        self.0
            .iter()
            .map(Secret::expose)
            .filter(|key| key.len() >= SHORTEST_IN_ANSWERS)
    }
}

/// Masks the run of token characters after each `marker` (lower-case ASCII, found in any case) that starts a word.
/// Short runs stay, so `sk-learn` and `bearer of` are still read.
fn mask_after(text: &str, marker: &str, keep: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(found) = lower[from..].find(marker) {
        let start = from + found;
        let token = start + marker.len();
        let length = text[token..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.~+/=*".contains(c)))
            .unwrap_or(text.len() - token);
        let starts_word = !text[..start].ends_with(|c: char| c.is_ascii_alphanumeric());
        if starts_word && length >= SHORTEST_IN_ANSWERS {
            masked.push_str(&text[from..token - keep.len()]);
            masked.push_str(keep);
            masked.push_str(MASK);
            from = token + length;
        } else {
            masked.push_str(&text[from..token]);
            from = token;
        }
    }
    masked.push_str(&text[from..]);
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(key: &str) -> Secrets {
        Environment::from_variables([("OPENAI_API_KEY", key)]).secrets()
    }

    #[test]
    fn known_keys_bearer_tokens_and_key_forms_are_masked() {
        let secrets = secrets(" local-key-123456\n");
        assert_eq!(secrets.mask("bad key local-key-123456!"), "bad key ***!");
        assert_eq!(
            secrets.mask("Authorization: Bearer abcdefghijklmnop, é"),
            "Authorization: Bearer ***, é"
        );
        assert_eq!(secrets.mask("é sk-proj-ABCDEFGHIJKL: no"), "é sk-***: no");
        assert_eq!(
            secrets.mask("/v1beta?key=AIzaSyA0123456789abc&x"),
            "/v1beta?key=AIza***&x"
        );
    }

    #[test]
    fn ordinary_words_stay() {
        let secrets = secrets("x");
        let text = "the bearer of sk-learn, task-abcdefghijklmnopqrs x";
        assert_eq!(secrets.mask(text), text);
    }

    #[test]
    fn a_short_dummy_key_is_no_secret_in_an_answer() {
        assert!(!secrets("ollama").appear_in("// ollama"));
        assert!(secrets("local-key-123456").appear_in("let k = \"local-key-123456\";"));
    }

    #[test]
    fn a_blank_key_is_none() {
        assert!(
            Environment::from_variables([("OPENAI_API_KEY", " \n")])
                .key("OPENAI_API_KEY")
                .is_none()
        );
    }
}
