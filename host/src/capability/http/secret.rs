//! Secrets: headers that the host adds. A value is read from the environment once a session, goes into the header and into
//! the mask, and nowhere else.
#![expect(
    clippy::disallowed_methods,
    reason = "reads the variables that grants name"
)]

use std::ffi::OsString;
use std::sync::Arc;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

use super::mask::Mask;
use crate::error::{Explain, Place};
use crate::grant::http::SecretHeader;

/// Shortest secret, bytes. A shorter one can stand anywhere by chance, so that masking it would garble what comes back,
/// and can be guessed.
const SHORTEST: usize = 8;

/// Why a secret cannot be used. The value is never part of it.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the header `{header}` needs the environment variable `{variable}`, which {what}")]
pub struct SecretError {
    header: String,
    variable: String,
    what: &'static str,
    hint: &'static str,
    place: Place,
}

impl Explain for SecretError {
    fn place(&self) -> Option<&Place> {
        Some(&self.place)
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.to_owned())
    }
}

/// The value of a variable that a grant names. Nothing else here asks the process.
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The headers of one grant. On purpose without `Debug`: it cannot end in a message by accident.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    headers: HeaderMap,
    mask: Arc<Mask>,
}

impl Secrets {
    /// Reads each with `read`, which gives a variable's value.
    pub(crate) fn read(
        granted: &[SecretHeader],
        read: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SecretError> {
        let mut headers = HeaderMap::new();
        let mut parts = Vec::new();
        for secret in granted {
            let fault = |what, hint| SecretError {
                header: secret.name.clone(),
                variable: secret.variable.clone(),
                what,
                hint,
                place: secret.place.clone(),
            };
            let value = read(&secret.variable).ok_or_else(|| {
                fault(
                    "is not set",
                    "set it to the header's whole value, as in `Bearer TOKEN`",
                )
            })?;
            let unusable = || {
                fault(
                    "has characters that no header can carry",
                    "a header's value is one line of text",
                )
            };
            let value = value.into_string().map_err(|_| unusable())?;
            // What a shell or a file brings along is no part of it.
            let value = value.trim();
            if value.is_empty() {
                return Err(fault(
                    "is empty",
                    "set it to the header's whole value, as in `Bearer TOKEN`",
                ));
            }
            if value.contains(char::is_control) {
                return Err(unusable());
            }
            let pieces = super::mask::pieces(value);
            if pieces.iter().any(|piece| piece.len() < SHORTEST) {
                return Err(fault(
                    "is too short to be kept secret",
                    "a secret has at least 8 bytes, the word before a token not counted",
                ));
            }
            let mut header = HeaderValue::from_str(value).map_err(|_| unusable())?;
            header.set_sensitive(true);
            let name = HeaderName::from_bytes(secret.name.as_bytes()).map_err(|_| unusable())?;
            headers.insert(name, header);
            parts.extend(pieces);
        }
        Ok(Self {
            headers,
            mask: Arc::new(Mask::of(&parts)),
        })
    }

    /// The headers.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Takes the values out of what comes back.
    pub(super) fn mask(&self) -> &Mask {
        &self.mask
    }
}
