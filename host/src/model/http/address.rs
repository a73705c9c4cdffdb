//! Where requests go, and the client that carries them.
#![expect(clippy::disallowed_methods, reason = "asks the model over the network")]

use std::time::Duration;

use reqwest::{Client, Url};

use crate::error::text::innermost;

/// Longest wait for a connection: a host that does not answer within it is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// Reads a base address. `Err` is what is wrong, without the address, which may hold a password.
pub(in crate::model) fn base(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "its scheme is `{}`, not http or https",
            url.scheme()
        ));
    }
    Ok(url)
}

/// How an address without `http://` is to be written. It is shown only when it is plain: no password, no query.
pub(super) fn full_address(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains("://") || base(&format!("http://{text}")).is_err() {
        return None;
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ".:/-_[]".contains(c);
    let written = match text.len() < 100 && text.chars().all(is_plain) {
        true => text,
        false => "HOST:PORT/PATH",
    };
    Some(format!("write `http://{written}` or `https://…`"))
}

/// Adds to the path; a slash at its end and a query are kept right.
pub(in crate::model) fn push(url: &mut Url, segments: &[&str]) {
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(segments);
    }
}

/// Whether the path ends with a version such as `v1` or `v1beta`, which some write and some leave out.
pub(in crate::model) fn has_version(url: &Url) -> bool {
    let mut segments = url.path_segments().into_iter().flatten().rev();
    let last = segments.find(|segment| !segment.is_empty());
    last.and_then(|last| last.strip_prefix('v'))
        .is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// The address for messages: a user and password, or a query with a key in it, are nobody's business.
pub(super) fn shown(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// No redirects: the prompt goes where the user said. Certificates of the system are read only when TLS is spoken, and
/// a server on this machine is asked directly, whatever proxy the environment names.
pub(super) fn client(url: &Url) -> Result<Client, reqwest::Error> {
    // Someone else may have chosen a provider before: theirs stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("lacuna/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT)
        // Compressed answers are not asked for, so one that comes is a fault of the server, and is named.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .redirect(reqwest::redirect::Policy::none());
    if url.scheme() == "http" {
        builder = builder.tls_certs_only([]);
    }
    if matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]")) {
        builder = builder.no_proxy();
    }
    builder.build()
}

/// The innermost reason, which says `Connection refused` where the outer ones say `error sending request`.
pub(super) fn cause(error: reqwest::Error) -> String {
    innermost(&error.without_url())
}
