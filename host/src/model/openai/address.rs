//! Where requests go, and the client that carries them.
#![expect(clippy::disallowed_methods, reason = "asks the model over the network")]

use std::time::Duration;

use reqwest::{Client, Url};

/// Longest wait for a connection: a host that does not answer within it is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// The base URL includes the `/v1`, as OpenAI's own clients have it; a slash at its end and a query are kept right.
/// `Err` is what is wrong, without the URL, which may hold a password.
pub(super) fn endpoint(base: &str) -> Result<Url, String> {
    let mut url = Url::parse(base.trim()).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "its scheme is `{}`, not http or https",
            url.scheme()
        ));
    }
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().push("chat").push("completions");
    }
    Ok(url)
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
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
