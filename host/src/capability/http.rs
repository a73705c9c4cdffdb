//! `lacuna:http`: requests to the origins that a grant names.
//!
//! A request is checked against the grant, sent by a client that the session has for the grant, and every redirect is a
//! request of its own. Names are resolved by one resolver, ours, which gives no address that may not be dialled: what was
//! checked is what is dialled. The guest has no resolver, no proxy, no cookies; headers that carry secrets are added
//! here and taken out of what comes back.
//!
//! What the grant refuses is an error value, so that a program can go on with the next URL; nothing was sent then. What
//! ends the hole are its limits: `host-call-wall`, `crossing`, `host-calls`.

mod client;
mod failure;
mod hop;
mod mask;
mod names;
mod secret;
#[cfg(test)]
mod tests;
mod types;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value as Json;
use wasmtime::component::LinkerInstance;

use super::call::{self, Arguments, Crossing, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::{CapabilityError, Provide};
use crate::grant::HttpGrant;
use crate::scope::ScopeFunction;
use client::Client;
pub use secret::SecretError;
use secret::Secrets;
use types::{HttpError, Request, Response};

/// The clients of one session. Grants that differ in anything share nothing: no connection and no secret.
#[derive(Default)]
pub(crate) struct State {
    clients: Mutex<Vec<(HttpGrant, Arc<Client>)>>,
}

impl State {
    /// The client of a grant, made at its first use; its secrets are read then.
    pub(crate) fn open(&self, grant: &HttpGrant) -> Result<Arc<Client>, SecretError> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, client)) = clients.iter().find(|(known, _)| known == grant) {
            return Ok(Arc::clone(client));
        }
        let secrets = Secrets::read(&grant.secrets, secret::variable)?;
        let client = Arc::new(Client::new(grant.clone(), secrets, Arc::new(names::System)));
        clients.push((grant.clone(), Arc::clone(&client)));
        Ok(client)
    }
}

/// One granted import.
pub(crate) struct Http(pub(super) Arc<Client>);

impl Provide for Http {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let client = Arc::clone(&self.0);
        let name = site.function.clone();
        match function.wit.as_str() {
            "get-text" => target.func_wrap_async(&name, move |store, parameters: (String,)| {
                let (site, client) = (Arc::clone(&site), Arc::clone(&client));
                Box::new(async move {
                    let work = |(url,), _| async move {
                        let answer = client.send(Request::get(url)).await;
                        Ok(answer.and_then(text))
                    };
                    Ok((call::awaited(store, &site, parameters, work).await?,))
                })
            })?,
            "get" => target.func_wrap_async(&name, move |store, parameters: (String,)| {
                let (site, client) = (Arc::clone(&site), Arc::clone(&client));
                Box::new(async move {
                    let work = |(url,), _| async move { Ok(client.send(Request::get(url)).await) };
                    Ok((call::awaited(store, &site, parameters, work).await?,))
                })
            })?,
            "send" => target.func_wrap_async(&name, move |store, (request,): (Request,)| {
                let (site, client) = (Arc::clone(&site), Arc::clone(&client));
                Box::new(async move {
                    let work = |Sent(request), _| async move { Ok(client.send(request).await) };
                    Ok((call::awaited(store, &site, Sent(request), work).await?,))
                })
            })?,
            _ => {
                return Err(CapabilityError::Unknown {
                    import: site.import.clone(),
                    function: function.wit.clone(),
                });
            }
        }
        Ok(())
    }
}

/// The body of a page.
fn text(response: Response) -> Result<String, HttpError> {
    if !(200..300).contains(&response.status) {
        return Err(HttpError::Status(response.status));
    }
    String::from_utf8(response.body).map_err(|_| {
        HttpError::NotText("the body is no UTF-8 text; `get` gives its bytes".to_owned())
    })
}

/// The parameters of `send`.
struct Sent(Request);

impl Arguments for Sent {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn report(&self) -> Vec<Json> {
        vec![self.0.report()]
    }

    fn exact(&self) -> Vec<Json> {
        vec![self.0.exact()]
    }

    /// As `get`, which does the same.
    fn reversible(&self) -> bool {
        self.0.method.eq_ignore_ascii_case("GET")
    }
}
