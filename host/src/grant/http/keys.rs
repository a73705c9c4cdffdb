//! The keys of a grant of `lacuna:http`.

use super::{HttpGrant, MAX_BODY, Network, Origin, Prefix, SecretHeader, admits};
use crate::error::Fault;
use crate::plan::manifest::{GrantConfig, Spanned};

/// Most redirects that a grant can allow.
const MOST_REDIRECTS: u64 = 20;

/// Methods that are no requests to a server's resources: the one asks a proxy for a connection, the other has the server
/// send back what it was sent, headers that the host adds included.
const NEVER: [&str; 2] = ["CONNECT", "TRACE"];

/// Headers that say what a request is and how it travels; a request of `lacuna:http` has the host's.
const FRAMING: [&str; 22] = [
    "accept-encoding",
    "alt-used",
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    // What some servers take for another method or path than the one that was checked.
    "x-forwarded-host",
    "x-forwarded-prefix",
    "x-forwarded-uri",
    "x-http-method",
    "x-http-method-override",
    "x-method-override",
    "x-original-uri",
    "x-original-url",
    "x-rewrite-url",
];

/// Whether a text can be a method or the name of a header (RFC 9110, section 5.6.2).
pub(crate) fn is_token(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(plain)
}

/// Whether only the host may set a header. The name is in lower case.
pub(crate) fn is_reserved(name: &str) -> bool {
    FRAMING.contains(&name) || name.starts_with("proxy-")
}

/// What `[hole.H.grant.KEY]` allows.
///
/// # Errors
/// Every key that is wrong, with its place.
pub(crate) fn resolve(config: &GrantConfig) -> Result<HttpGrant, Fault> {
    let mut faults = Vec::new();
    let private_addresses = each(config.private_addresses.as_deref(), &mut faults, network);
    let origins = match config.origins.as_deref() {
        None => {
            let fault = Fault::new("an http grant needs `origins`").at(config.place.clone());
            faults.push(fault.hint(
                "write `origins = [\"https://HOST\"]`: scheme, host and port of each server",
            ));
            Vec::new()
        }
        given => each(given, &mut faults, |text| origin(text, &private_addresses)),
    };
    let methods = match config.methods.as_deref() {
        None => vec!["GET".to_owned()],
        given => each(given, &mut faults, method),
    };
    let paths = config
        .paths
        .as_deref()
        .map(|given| each(Some(given), &mut faults, path));
    if let Some(redirects) = &config.redirects
        && redirects.value > MOST_REDIRECTS
    {
        faults.push(
            Fault::new(format!("`redirects` is more than {MOST_REDIRECTS}"))
                .at(redirects.place.clone())
                .hint("servers seldom need more than 3"),
        );
    }
    let secrets = secrets(config, origins.len(), &mut faults);
    match Fault::several(faults) {
        Some(fault) => Err(fault),
        None => Ok(HttpGrant {
            origins,
            methods,
            paths,
            redirects: config.redirects.as_ref().map_or(0, |count| count.value),
            private_addresses,
            max_body: config.max_body.as_ref().map_or(MAX_BODY, |size| size.value),
            secrets,
        }),
    }
}

/// What each text of a list means; those that mean nothing become faults.
fn each<T>(
    given: Option<&[Spanned<String>]>,
    faults: &mut Vec<Fault>,
    read: impl Fn(&str) -> Result<T, (String, Option<String>)>,
) -> Vec<T> {
    let mut values = Vec::new();
    for text in given.unwrap_or_default() {
        match read(&text.value) {
            Ok(value) => values.push(value),
            Err((what, hint)) => {
                let fault = Fault::new(what).at(text.place.clone());
                faults.push(match hint {
                    Some(hint) => fault.hint(hint),
                    None => fault,
                });
            }
        }
    }
    values
}

fn network(text: &str) -> Result<Network, (String, Option<String>)> {
    Network::parse(text).map_err(|what| {
        let hint = "write an address, `10.1.2.3`, or a network, `10.1.0.0/16`";
        (
            format!("`private-addresses`: \"{text}\" {what}"),
            Some(hint.to_owned()),
        )
    })
}

fn origin(text: &str, private: &[Network]) -> Result<Origin, (String, Option<String>)> {
    let origin = Origin::parse(text)
        .map_err(|(what, hint)| (format!("`origins`: \"{text}\" {what}"), Some(hint)))?;
    // It could never be reached, and the guest's error would be the first to say so.
    if let Some(address) = origin.address()
        && let Err(kind) = admits(private, address)
    {
        return Err((
            format!("`origins`: \"{text}\" is {kind}, and those are not dialled"),
            Some(format!(
                "add `private-addresses = [\"{address}\"]` if this server is meant"
            )),
        ));
    }
    Ok(origin)
}

fn method(text: &str) -> Result<String, (String, Option<String>)> {
    let fault =
        |what: &str, hint: Option<String>| Err((format!("`methods`: \"{text}\" {what}"), hint));
    let upper = text.to_ascii_uppercase();
    if !is_token(text) {
        return fault("is no method", Some("write it as \"POST\"".to_owned()));
    }
    if upper != text {
        return fault("is not in upper case", Some(format!("write \"{upper}\"")));
    }
    if NEVER.contains(&text) {
        return fault("cannot be granted", Some("remove it".to_owned()));
    }
    Ok(upper)
}

fn path(text: &str) -> Result<Prefix, (String, Option<String>)> {
    Prefix::parse(text).map_err(|what| {
        let hint = "write what a path must begin with, in whole segments: `/api/v1`";
        (format!("`paths`: \"{text}\" {what}"), Some(hint.to_owned()))
    })
}

fn secrets(config: &GrantConfig, origins: usize, faults: &mut Vec<Fault>) -> Vec<SecretHeader> {
    let mut secrets: Vec<SecretHeader> = Vec::new();
    for header in &config.headers {
        let name = header.name.value.to_ascii_lowercase();
        let fault = |what: String| Fault::new(what).at(header.name.place.clone());
        if !is_token(&name) {
            faults.push(fault(format!("`header`: `{name}` is no name of a header")));
        } else if is_reserved(&name) {
            faults.push(
                fault(format!("`header.{name}` cannot hold a secret"))
                    .hint("it says how a request travels, and is set with each request"),
            );
        } else if secrets.iter().any(|other| other.name == name) {
            faults.push(fault(format!("`header.{name}` stands there twice")));
        } else if header.env.value.is_empty() || header.env.value.contains(['=', '\0']) {
            faults.push(
                Fault::new(format!("`header.{name}.env` is no name of a variable"))
                    .at(header.env.place.clone()),
            );
        } else {
            secrets.push(SecretHeader {
                name,
                variable: header.env.value.clone(),
                place: header.env.place.clone(),
            });
        }
    }
    if let (Some(header), true) = (config.headers.first(), origins > 1) {
        faults.push(
            Fault::new("a secret belongs to one server, and this grant has several origins")
                .at(header.name.place.clone())
                .hint("import the interface under two names, and grant each its origins"),
        );
    }
    secrets
}
