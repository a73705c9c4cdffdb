//! Keys: read from the environment once, held in a type that cannot be printed, masked in everything that comes back.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the providers' keys, which stand in the environment only"
)]

use std::sync::Arc;

use crate::environment;

/// Variables that hold a provider's key. All of them are masked, whichever provider is asked: a program started by
/// `command:` sees them too.
const KEY_VARIABLES: &[&str] = environment::KEYS;

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

/// The variables that models need, read once at the edge: nothing below asks the process again, and a host program can
/// give others.
#[derive(Clone, Default)]
pub struct Environment {
    openai_key: Option<Secret>,
    openai_base_url: Option<String>,
    secrets: Secrets,
}

impl Environment {
    /// From the variables of this process. A value that is not UTF-8 is read as far as it goes.
    pub fn from_process() -> Self {
        Self::from_variables(std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok()?;
            (KEY_VARIABLES.contains(&name.as_str()) || name == environment::OPENAI_BASE_URL)
                .then(|| (name, value.to_string_lossy().into_owned()))
        }))
    }

    /// From given variables, under the names that they have in a process.
    pub fn from_variables<N: AsRef<str>, V: AsRef<str>>(
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut environment = Self::default();
        let mut secrets = Vec::new();
        for (name, value) in variables {
            let (name, value) = (name.as_ref(), value.as_ref());
            if name == environment::OPENAI_BASE_URL && !value.trim().is_empty() {
                environment.openai_base_url = Some(value.trim().to_owned());
            }
            if KEY_VARIABLES.contains(&name)
                && let Some(secret) = Secret::new(value)
            {
                if name == environment::OPENAI_API_KEY {
                    environment.openai_key = Some(secret.clone());
                }
                secrets.push(secret);
            }
        }
        environment.secrets = Secrets(secrets.into());
        environment
    }

    /// `OPENAI_API_KEY`.
    pub(super) fn openai_key(&self) -> Option<&Secret> {
        self.openai_key.as_ref()
    }

    /// `OPENAI_BASE_URL`.
    pub(super) fn openai_base_url(&self) -> Option<&str> {
        self.openai_base_url.as_deref()
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
    /// `text` without keys: the known ones, anything that is sent as a bearer token, and anything of the form `sk-…`.
    /// Call it before a text is shortened, or half a key stays.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for secret in self.0.iter().filter(|s| s.0.len() >= SHORTEST_MASKED) {
            masked = masked.replace(secret.expose(), MASK);
        }
        mask_after(&mask_after(&masked, "bearer ", ""), "sk-", "sk-")
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
                .openai_key()
                .is_none()
        );
    }
}
