//! `lacuna:text/url`, by the crate `url`.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use url::{Url, form_urlencoded};
use wasmtime::component::{ComponentType, Lift, LinkerInstance, Lower};

use crate::capability::CapabilityError;
use crate::capability::call::{Bounds, Crossing, Site};
use crate::capability::compute::{self, Answer, Size, fallible, infallible, limited};
use crate::capability::host::Host;

type Pair = (String, String);

/// `parts`.
#[derive(Clone, Debug, PartialEq, Eq, ComponentType, Lift, Lower)]
#[component(record)]
pub(super) struct Parts {
    pub(super) scheme: String,
    pub(super) username: String,
    pub(super) password: Option<String>,
    pub(super) host: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) path: String,
    pub(super) query: Vec<Pair>,
    pub(super) fragment: Option<String>,
}

impl Crossing for Parts {
    fn bytes(&self) -> u64 {
        let texts = [&self.scheme, &self.username, &self.path];
        let options = [&self.password, &self.host, &self.fragment];
        size_of::<Self>() as u64
            + texts.iter().map(|text| text.bytes()).sum::<u64>()
            + options.iter().map(|text| text.bytes()).sum::<u64>()
            + self.query.bytes()
    }

    fn report(&self) -> Json {
        json!({
            "scheme": self.scheme.report(), "username": self.username.report(), "password": self.password.report(),
            "host": self.host.report(), "port": self.port, "path": self.path.report(), "query": self.query.report(),
            "fragment": self.fragment.report(),
        })
    }
}

pub(super) fn define(
    target: &mut LinkerInstance<'_, Host>,
    site: Arc<Site>,
    function: &str,
) -> Result<(), CapabilityError> {
    match function {
        "parse" => fallible(target, site, parse),
        "join" => fallible(target, site, |(base, link): &Pair, _| join(base, link)),
        "encode" => infallible(target, site, |(text,): &(String,)| encode(text)),
        "decode" => fallible(target, site, |(text,): &(String,), _| decode(text)),
        "parse-query" => limited(target, site, |(text,): &(String,), bounds| {
            pairs(form_urlencoded::parse(text.as_bytes()), bounds)
        }),
        "write-query" => infallible(target, site, |(pairs,): &(Vec<Pair>,)| write_query(pairs)),
        _ => Err(compute::unknown(&site)),
    }
}

/// Longest URL, bytes: more than any browser takes.
const MAX_URL: usize = 64 * 1024;

fn absolute(text: &str) -> Result<Url, String> {
    short(text)?;
    Url::parse(text).map_err(|error| format!("`{}` is no URL: {error}", start(text)))
}

fn short(text: &str) -> Result<(), String> {
    if text.len() <= MAX_URL {
        return Ok(());
    }
    Err(format!(
        "a URL of {} bytes is longer than the {MAX_URL} that are read",
        text.len()
    ))
}

/// Enough of a text to know it again.
fn start(text: &str) -> String {
    text.chars().take(100).collect()
}

pub(super) fn parse((text,): &(String,), bounds: &Bounds) -> Answer<Parts> {
    let url = absolute(text)?;
    let query = pairs(url.query_pairs(), bounds)?;
    Ok(Parts {
        scheme: url.scheme().to_owned(),
        username: url.username().to_owned(),
        password: url.password().map(str::to_owned),
        host: url.host_str().map(str::to_owned),
        port: url.port(),
        path: url.path().to_owned(),
        query,
        fragment: url.fragment().map(str::to_owned),
    })
}

pub(super) fn join(base: &str, link: &str) -> Answer<String> {
    short(link)?;
    let joined = absolute(base)?
        .join(link)
        .map_err(|error| format!("`{}` is no link: {error}", start(link)))?;
    Ok(joined.into())
}

/// All but the unreserved characters of RFC 3986, section 2.3.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            for half in [byte >> 4, byte & 15] {
                encoded.push(char::from(b"0123456789ABCDEF"[usize::from(half)]));
            }
        }
    }
    encoded
}

pub(super) fn decode(text: &str) -> Answer<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'%' {
            decoded.push(*byte);
            continue;
        }
        let digit = |at: usize| char::from(*behind.get(at)?).to_digit(16);
        let (Some(high), Some(low)) = (digit(0), digit(1)) else {
            let at = text.len() - rest.len();
            return Err(format!("no two hex digits follow the `%` at byte {at}").into());
        };
        decoded.push((high << 4 | low) as u8);
        rest = &behind[2..];
    }
    String::from_utf8(decoded).map_err(|_| "the decoded bytes are no UTF-8 text".into())
}

/// Names and values, weighed as they come: a text of `&a` has many.
pub(super) fn pairs(parsed: form_urlencoded::Parse<'_>, bounds: &Bounds) -> Answer<Vec<Pair>> {
    let mut size = Size::new(bounds);
    parsed
        .map(|(name, value)| {
            size.add(size_of::<Pair>() + name.len() + value.len())?;
            Ok((name.into_owned(), value.into_owned()))
        })
        .collect()
}

pub(super) fn write_query(pairs: &[Pair]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    query.finish()
}
