//! The client against real servers.

mod hostile;
mod load;
mod masks;
mod server;
mod table;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;

use super::client::Client;
use super::names::Names;
use super::secret::{SecretError, Secrets};
use crate::grant::HttpGrant;
use crate::plan::manifest::Manifest;

/// The grant that these lines are.
fn grant(lines: &str) -> HttpGrant {
    let text = format!("schema = 1\n[hole.h.grant.http]\n{lines}");
    let manifest = Manifest::parse("lacuna.toml".into(), "lacuna.toml", &text)
        .unwrap_or_else(|fault| panic!("{}", crate::error::render(&fault)));
    crate::grant::http::resolve(&manifest.holes["h"].grants["http"])
        .unwrap_or_else(|fault| panic!("{}", crate::error::render(&fault)))
}

/// A grant on one server of this machine, under a name.
fn local(port: u16, more: &str) -> HttpGrant {
    grant(&format!(
        "origins = [\"http://a.test:{port}\"]\nprivate-addresses = [\"127.0.0.1\"]\n{more}"
    ))
}

/// A client whose names are all 127.0.0.1.
fn client(grant: HttpGrant) -> Client {
    Client::new(grant, Secrets::default(), Arc::new(Answers::default()))
}

/// The secrets of a grant, from given variables.
fn secrets(grant: &HttpGrant, variables: &[(&str, &str)]) -> Result<Secrets, SecretError> {
    Secrets::read(&grant.secrets, |name| {
        let value = variables.iter().find(|(known, _)| *known == name);
        value.map(|(_, value)| OsString::from(value))
    })
}

/// Names and the answers of call after call; the last stays.
#[derive(Default)]
struct Answers {
    /// `None` gives 127.0.0.1 for each name.
    known: Option<HashMap<String, Vec<Vec<IpAddr>>>>,
    asked: Mutex<HashMap<String, usize>>,
}

impl Names for Answers {
    fn look_up(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let mut asked = self.asked.lock().unwrap();
        let count = asked.entry(name.to_owned()).or_default();
        let answer = match &self.known {
            None => Some(vec![IpAddr::from([127, 0, 0, 1])]),
            Some(known) => known
                .get(name)
                .and_then(|answers| answers.get(*count).or(answers.last()))
                .cloned(),
        };
        *count += 1;
        let unknown = || io::Error::other("no such name");
        Box::pin(std::future::ready(answer.ok_or_else(unknown)))
    }
}
