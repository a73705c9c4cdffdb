//! `lacuna:text/encoding`: bytes as text, by `base64`, and hashes, by `sha2` and `blake3`.

use std::fmt::Write;
use std::sync::Arc;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose};
use sha2::{Digest, Sha256};
use wasmtime::component::LinkerInstance;

use crate::capability::CapabilityError;
use crate::capability::call::Site;
use crate::capability::compute::{self, Answer, fallible, infallible};
use crate::capability::host::Host;

/// Standard alphabet; padding may be there or not.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub(super) fn define(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    function: &str,
) -> Result<(), CapabilityError> {
    type Bytes = (Vec<u8>,);
    match function {
        "base64-encode" => infallible(target, site, |(bytes,): &Bytes| {
            general_purpose::STANDARD.encode(bytes)
        }),
        "base64-url-encode" => infallible(target, site, |(bytes,): &Bytes| {
            general_purpose::URL_SAFE_NO_PAD.encode(bytes)
        }),
        "base64-decode" => fallible(target, site, |(text,): &(String,), _| base64_decode(text)),
        "hex-encode" => infallible(target, site, |(bytes,): &Bytes| hex_encode(bytes)),
        "hex-decode" => fallible(target, site, |(text,): &(String,), _| hex_decode(text)),
        "sha256" => infallible(target, site, |(bytes,): &Bytes| {
            hex_encode(&Sha256::digest(bytes))
        }),
        "blake3" => infallible(target, site, |(bytes,): &Bytes| {
            blake3::hash(bytes).to_hex().to_string()
        }),
        _ => Err(compute::unknown(&site)),
    }
}

pub(super) fn base64_decode(text: &str) -> Answer<Vec<u8>> {
    let standard = text.replace('-', "+").replace('_', "/");
    LENIENT
        .decode(standard)
        .map_err(|error| format!("not base64: {error}").into())
}

pub(super) fn hex_encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

pub(super) fn hex_decode(text: &str) -> Answer<Vec<u8>> {
    let mut digits = Vec::with_capacity(text.len());
    for (index, character) in text.chars().enumerate() {
        let digit = character.to_digit(16).ok_or_else(|| {
            format!(
                "not hex: {character:?} at character {} is no digit",
                index + 1
            )
        })?;
        digits.push(digit as u8);
    }
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(format!("not hex: {} digits are an odd number", digits.len()).into());
    }
    Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
