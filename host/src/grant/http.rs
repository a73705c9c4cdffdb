//! `lacuna:http`: which servers, with which methods and paths, under which limits. What a URL means is decided here, once,
//! for the grant, for the guest's request, for every redirect and for the connection that is made.

mod address;
mod keys;
mod network;
mod origin;
mod path;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::error::Place;

pub(crate) use self::keys::is_reserved;
pub(crate) use self::keys::resolve;
pub use self::network::Network;
pub(crate) use self::network::admits;
pub use self::origin::Origin;
pub(crate) use self::origin::{join, parse};
pub use self::path::Prefix;

/// `max-body` when the grant does not say: 4 MiB.
pub(crate) const MAX_BODY: u64 = 4 << 20;

/// `lacuna:http` on named origins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpGrant {
    /// Scheme, host and port of each server, exact.
    pub origins: Vec<Origin>,
    /// Methods in upper case.
    pub methods: Vec<String>,
    /// What a path must begin with, segment by segment; `None` is every path, an empty list is none.
    pub paths: Option<Vec<Prefix>>,
    /// How many redirects a request may follow.
    pub redirects: u64,
    /// Addresses that are dialled although they are not public.
    pub private_addresses: Vec<Network>,
    /// Largest body of a response, bytes after decompression.
    pub max_body: u64,
    /// Headers that the host adds. If there are any, there is exactly one origin.
    pub secrets: Vec<SecretHeader>,
}

/// A header whose value stands in the environment. The value is no part of the grant: it is read when a session first
/// needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretHeader {
    /// Name in lower case.
    pub name: String,
    /// The variable.
    pub variable: String,
    /// Where it is named.
    pub place: Place,
}

impl fmt::Display for HttpGrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.methods.join(", "), list(&self.origins))?;
        if let Some(paths) = &self.paths {
            write!(f, " below {}", list(paths))?;
        }
        match self.redirects {
            0 => f.write_str(", no redirects")?,
            1 => f.write_str(", 1 redirect")?,
            count => write!(f, ", {count} redirects")?,
        }
        if !self.private_addresses.is_empty() {
            write!(f, ", private addresses {}", list(&self.private_addresses))?;
        }
        for secret in &self.secrets {
            write!(f, ", with `{}` from {}", secret.name, secret.variable)?;
        }
        Ok(())
    }
}

fn list<T: fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    items.join(", ")
}
