//! Names to addresses: asked once for each connection, and every answer looked at before any is dialled.
#![expect(
    clippy::disallowed_methods,
    reason = "resolves the names of granted origins"
)]

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::grant::http::{Network, admits};

/// Who knows names.
pub(super) trait Names: Send + Sync {
    /// The addresses of a name.
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>>;
}

/// The system's resolver.
pub(super) struct System;

impl Names for System {
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// The resolver of a client: it gives no address that its grant does not admit.
///
/// If one answer is refused, all are: a name that has a public and a private address is made to get past this check.
pub(super) struct Checked {
    pub(super) names: Arc<dyn Names>,
    pub(super) granted: Vec<Network>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.names.look_up(name.as_str());
        let granted = self.granted.clone();
        Box::pin(async move {
            let addresses = match found.await {
                Ok(addresses) if !addresses.is_empty() => addresses,
                // The system's words differ from machine to machine and help no guest.
                _ => return Err(NameError::Unknown.into()),
            };
            for address in &addresses {
                if let Err(kind) = admits(&granted, *address) {
                    return Err(NameError::Refused(*address, kind).into());
                }
            }
            let addresses = addresses
                .into_iter()
                .map(|address| SocketAddr::new(address, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Why a name gives no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameError {
    /// The resolver has none.
    Unknown,
    /// It leads to this address, which is of this kind.
    Refused(IpAddr, &'static str),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("the name has no address"),
            Self::Refused(address, kind) => write!(f, "the name leads to {address}, {kind}"),
        }
    }
}

impl std::error::Error for NameError {}
