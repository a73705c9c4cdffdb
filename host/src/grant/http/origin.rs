//! URLs and origins. One parser for all: what is compared with the grant is what is dialled.

use std::fmt;
use std::net::IpAddr;

use url::{Host, Url};

/// Longest URL, bytes as given.
const LONGEST: usize = 8 * 1024;

/// Scheme, host and port, as the URL standard normalises them: lower case, punycode, plain IPv4, no default port.
///
/// A host with a dot at its end is another host than the one without: resolvers treat both alike and servers do not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    scheme: String,
    host: String,
    port: u16,
}

impl Origin {
    /// Of a URL that [`parse`] gave.
    pub(crate) fn of(url: &Url) -> Self {
        Self {
            scheme: url.scheme().to_owned(),
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or_default(),
        }
    }

    /// Reads an origin of a manifest.
    ///
    /// # Errors
    /// What is wrong with it, to be put after the text, and a hint.
    pub fn parse(text: &str) -> Result<Self, (String, String)> {
        let fault = |what: &str, hint: &str| Err((what.to_owned(), hint.to_owned()));
        if text.contains('*') {
            return fault(
                "has a wildcard",
                "list each origin: a grant names servers, not families of them",
            );
        }
        if !text.contains("://") {
            return fault(
                "is no origin",
                "write scheme, host and, where it is not the usual one, port: `https://api.example.com`",
            );
        }
        let url = match parse(text) {
            Ok(url) => url,
            Err(reason) => {
                return Err((
                    format!("is no origin: {reason}"),
                    "write scheme and host: `https://api.example.com`".to_owned(),
                ));
            }
        };
        if url.path() != "/" || url.query().is_some() || text.contains('#') {
            return fault(
                "has more than scheme, host and port",
                "write `paths = [\"/…\"]` for what a path must begin with",
            );
        }
        let origin = Self::of(&url);
        if origin.host.ends_with('.') {
            return fault("has a dot at the end of its host", "leave the dot out");
        }
        if origin.port == 0 {
            return fault("has the port 0", "name the port of the server");
        }
        // A number that only a URL parser takes for an address is more likely a slip than meant.
        let written = text.to_ascii_lowercase();
        let is_number = matches!(url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
        if is_number && !written.contains(&origin.host) {
            return Err((
                "has an address in an unusual spelling".to_owned(),
                format!("write `{origin}`"),
            ));
        }
        Ok(origin)
    }

    /// The address, when the host is one.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host.parse().ok()
    }

    /// Whether it is spoken to through TLS.
    pub(crate) fn is_secure(&self) -> bool {
        self.scheme == "https"
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        match (self.scheme.as_str(), self.port) {
            ("http", 80) | ("https", 443) => Ok(()),
            (_, port) => write!(f, ":{port}"),
        }
    }
}

/// Reads an absolute URL of `http` or `https`. Fragments are dropped: no server sees them.
///
/// The standard's parser forgives blanks, line ends and backslashes in places where others do not; here they are errors,
/// so that nobody who reads the URL takes it for another one.
pub(crate) fn parse(text: &str) -> Result<Url, String> {
    look(text)?;
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    let rest = ["http://", "https://"]
        .into_iter()
        .find(|start| lower.starts_with(start))
        .map(|start| &text[start.len()..]);
    match rest {
        None => return Err("it does not begin with http:// or https://".to_owned()),
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            return Err("it has no host".to_owned());
        }
        Some(_) => {}
    }
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    usable(url)
}

/// Reads the target of a redirect, which may be relative.
pub(crate) fn join(base: &Url, text: &str) -> Result<Url, String> {
    look(text)?;
    let url = base.join(text).map_err(|error| error.to_string())?;
    usable(url)
}

fn look(text: &str) -> Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    if text.contains(|c: char| c.is_control() || c.is_whitespace()) {
        return Err("it has a blank or a control character".to_owned());
    }
    if text.contains('\\') {
        return Err("it has a backslash".to_owned());
    }
    // The parser drops an empty user name without a word.
    let (before, after) = text.split_once("//").unwrap_or((text, ""));
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    if (before.is_empty() || before.ends_with(':')) && authority.contains('@') {
        return Err("it has a user name".to_owned());
    }
    Ok(())
}

fn usable(mut url: Url) -> Result<Url, String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!(
            "its scheme is `{}`, not http or https",
            url.scheme()
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it has a user name".to_owned());
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it has no host".to_owned());
    }
    url.set_fragment(None);
    Ok(url)
}
