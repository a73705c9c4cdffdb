//! One request: what a guest asked for, or where a redirect leads. Each is checked against the grant in the same way.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, StatusCode, Url};

use super::types::{HttpError, Request};
use crate::grant::HttpGrant;
use crate::grant::http::{Origin, Prefix, admits, is_reserved, join, parse};

/// Most headers, and bytes of them, of a request or a response (CONTRACTS section 5).
const MOST_HEADERS: usize = 64;
/// See [`MOST_HEADERS`].
const MOST_HEADER_BYTES: usize = 32 * 1024;

/// Longest text of a guest or a server in a message, bytes.
const LONGEST_SHOWN: usize = 300;

/// What a request to another origin keeps of the guest's headers. Any other may hold what only the first server may know.
const KEPT: [&str; 5] = [
    "accept",
    "accept-language",
    "content-language",
    "content-type",
    "user-agent",
];

/// A request that the grant allows.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) origin: Origin,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Hop {
    /// The guest's request.
    pub(super) fn first(grant: &HttpGrant, request: Request) -> Result<Self, HttpError> {
        let url = parse(&request.url).map_err(|reason| {
            HttpError::InvalidUrl(format!("`{}`: {reason}", shown(&request.url)))
        })?;
        // A token of any case is a method of its own, and no server has a `get`.
        let method = request.method.to_ascii_uppercase();
        let allowed = allowed(grant, &method, &url)?;
        Ok(Self {
            headers: headers(grant, &request.headers)?,
            method: allowed,
            origin: Origin::of(&url),
            url,
            body: request.body,
        })
    }

    /// Where a redirect leads; `None` when the response is none.
    ///
    /// 303 turns everything but HEAD into GET, 301 and 302 turn POST into it, as browsers do.
    pub(super) fn next(
        self,
        grant: &HttpGrant,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Option<Self>, HttpError> {
        if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let mut locations = headers.get_all("location").iter();
        let Some(location) = locations.next() else {
            return Ok(None);
        };
        let target = String::from_utf8_lossy(location.as_bytes()).into_owned();
        let refused =
            |reason: &str| HttpError::RedirectRefused(format!("{}: {reason}", shown(&target)));
        if locations.next().is_some() {
            return Err(refused("the server names several targets"));
        }
        let url = join(&self.url, &target).map_err(|reason| refused(&reason))?;
        let origin = Origin::of(&url);
        let mut next = Self { url, ..self };
        let to_get = match status.as_u16() {
            301 | 302 => next.method == Method::POST,
            303 => next.method != Method::HEAD,
            _ => false,
        };
        if to_get {
            next.method = Method::GET;
            next.body = Vec::new();
            for name in [
                "content-type",
                "content-language",
                "content-location",
                "content-encoding",
            ] {
                next.headers.remove(name);
            }
        }
        if origin != next.origin {
            let kept = |name: &HeaderName| KEPT.contains(&name.as_str());
            let others: Vec<HeaderName> = next
                .headers
                .keys()
                .filter(|name| !kept(name))
                .cloned()
                .collect();
            for name in others {
                next.headers.remove(name);
            }
            next.origin = origin;
        }
        match allowed(grant, next.method.as_str(), &next.url) {
            Ok(_) => Ok(Some(next)),
            Err(HttpError::NotGranted(reason)) => Err(refused(&reason)),
            Err(other) => Err(other),
        }
    }
}

/// Whether the grant has the origin, the method and the path, and admits the address if the host is one.
fn allowed(grant: &HttpGrant, method: &str, url: &Url) -> Result<Method, HttpError> {
    let origin = Origin::of(url);
    if !grant.origins.contains(&origin) {
        let granted: Vec<String> = grant.origins.iter().map(ToString::to_string).collect();
        return Err(HttpError::NotGranted(format!(
            "the origin {} is not granted; granted: {}",
            shown(&origin.to_string()),
            shown(&granted.join(", "))
        )));
    }
    if !grant.methods.iter().any(|granted| granted == method) {
        return Err(HttpError::NotGranted(format!(
            "the method `{}` is not granted; granted: {}",
            shown(method),
            grant.methods.join(", ")
        )));
    }
    if let Some(paths) = &grant.paths
        && let Err(reason) = Prefix::any_covers(paths, url.path())
    {
        let granted: Vec<String> = paths.iter().map(ToString::to_string).collect();
        return Err(HttpError::NotGranted(format!(
            "`{}`: {reason}; granted: {}",
            shown(url.path()),
            shown(&granted.join(", "))
        )));
    }
    // The resolver is not asked for these.
    if let Some(address) = origin.address()
        && let Err(kind) = admits(&grant.private_addresses, address)
    {
        return Err(HttpError::AddressRefused(format!(
            "{origin} is {kind}, and the grant does not list it"
        )));
    }
    Method::from_bytes(method.as_bytes())
        .map_err(|_| HttpError::NotGranted(format!("`{}` is no method", shown(method))))
}

/// The guest's headers.
fn headers(grant: &HttpGrant, given: &[(String, String)]) -> Result<HeaderMap, HttpError> {
    let fault = |text: String| Err(HttpError::ForbiddenHeader(text));
    let bytes: usize = given
        .iter()
        .map(|(name, value)| name.len() + value.len())
        .sum();
    if given.len() > MOST_HEADERS || bytes > MOST_HEADER_BYTES {
        return fault(format!(
            "a request has at most {MOST_HEADERS} headers and {MOST_HEADER_BYTES} bytes of them"
        ));
    }
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let name = match HeaderName::from_bytes(name.as_bytes()) {
            Ok(name) => name,
            Err(_) => return fault(format!("`{}` is no name of a header", shown(name))),
        };
        if is_reserved(name.as_str()) {
            return fault(format!("`{name}` is set by the host; leave it out"));
        }
        if grant
            .secrets
            .iter()
            .any(|secret| alike(&secret.name, name.as_str()))
        {
            return fault(format!("`{name}` is added by the host; leave it out"));
        }
        if !grant.secrets.is_empty() && ["range", "if-range"].contains(&name.as_str()) {
            // Where a server sends the secret back, pieces that are shorter than it could not be masked.
            return fault(format!("`{name}` is refused where the host adds a secret"));
        }
        let Ok(value) = HeaderValue::from_bytes(value.as_bytes()) else {
            return fault(format!(
                "the value of `{name}` has a line end or a control character"
            ));
        };
        headers.append(name, value);
    }
    Ok(headers)
}

/// Whether a server may take two names for one: many write `_` for `-` when they hand headers on.
fn alike(one: &str, other: &str) -> bool {
    one.replace('_', "-") == other.replace('_', "-")
}

/// Whether a response has more headers than may be passed on.
pub(super) fn too_many(headers: &HeaderMap) -> bool {
    let bytes: usize = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    headers.len() > MOST_HEADERS || bytes > MOST_HEADER_BYTES
}

/// A text for a message.
fn shown(text: &str) -> String {
    let mut end = text.len().min(LONGEST_SHOWN);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let more = if end < text.len() { "…" } else { "" };
    format!("{}{more}", text[..end].escape_debug())
}
