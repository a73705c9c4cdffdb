//! `lacuna:text`: regular expressions, JSON, CSV, encodings, hashes and URLs, by the crates that Rust programs use for them.
//!
//! Nothing here has any authority: what a function gives follows from its arguments. What a guest can drive is bounded:
//! texts and answers by `crossing`, patterns by what they cost on a text (`regex`), JSON by its depth.

mod csv;
mod encoding;
mod json;
mod place;
mod regex;
#[cfg(test)]
mod tests;
mod url;

use std::sync::Arc;

use wasmtime::component::LinkerInstance;

use super::call::Site;
use super::handles::ResourceKinds;
use super::host::Host;
use super::{CapabilityError, Provide};
use crate::grant::TextInterface;
use crate::scope::ScopeFunction;
pub(crate) use regex::Patterns;

/// One interface of the package.
pub(crate) struct Text(pub(crate) TextInterface);

impl Provide for Text {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        _kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let name = function.wit.as_str();
        match self.0 {
            TextInterface::Regex => regex::define(target, site, name),
            TextInterface::Json => json::define(target, site, name),
            TextInterface::Csv => csv::define(target, site, name),
            TextInterface::Encoding => encoding::define(target, site, name),
            TextInterface::Url => url::define(target, site, name),
        }
    }
}
