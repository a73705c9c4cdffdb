//! The provider `stub`: answers from a JSON file, for dry runs and for tests. No code runs and nothing is touched.
//!
//! Its functions are those of the plan, so their types are known only at run time and values go through `Value`.
//! A resource is a name: the answer `"@NAME"` makes an owned handle of that name, and reports show the name.

mod answers;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value as Json};
use wasmtime::StoreContextMut;
use wasmtime::component::types::ComponentFunc;
use wasmtime::component::{LinkerInstance, Val};

use super::call::{self, Running, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::{self, Failure};
use super::resources;
use super::{CapabilityError, Provide};
use crate::grant::StubGrant;
use crate::scope::{ScopeFunction, ScopeImport};
use crate::value::{self, Type, Value};
use answers::Answers;

/// One stubbed import.
pub(crate) struct Stub {
    names: Vec<String>,
    file: PathBuf,
    answers: Arc<Map<String, Json>>,
}

impl Stub {
    /// The answers stay JSON until a function asks for its own: a file may answer for more than one plan.
    pub(crate) fn new(import: &ScopeImport, grant: &StubGrant) -> Self {
        Self {
            names: answers::names_of(import),
            file: grant.file.clone(),
            answers: Arc::clone(&grant.answers),
        }
    }
}

impl Provide for Stub {
    fn define(
        &self,
        target: &mut LinkerInstance<'_, Host>,
        site: Arc<Site>,
        function: &ScopeFunction,
        kinds: &Arc<ResourceKinds>,
    ) -> Result<(), CapabilityError> {
        let found = answers::find(&self.answers, &self.names, &function.wit);
        let answers = match (&function.result, found) {
            (None, _) => Answers::Nothing,
            (Some(ty), Some((key, json))) => Answers::read(json, ty, key, &self.file),
            (Some(_), None) => Answers::Wrong(format!(
                "no answer for `{}.{}` in {}",
                site.import,
                function.wit,
                self.file.display()
            )),
        };
        let parameters: Vec<Type> = function
            .parameters
            .iter()
            .map(|(_, ty)| resources::named(ty))
            .collect();
        let result = function.result.as_ref().map(resources::named);
        let kinds = Arc::clone(kinds);
        let name = function.wit.clone();
        let stubbed = Arc::new(Stubbed {
            site,
            kinds,
            answers,
            parameters,
            result,
        });
        if !stubbed.site.rules.irreversible {
            target.func_new(&name, move |mut store, ty, arguments, results| {
                let (running, _) = stubbed.enter(&mut store, arguments)?;
                stubbed.answer(store, running, &ty, results)
            })?;
            return Ok(());
        }
        // Somebody may have to be asked.
        target.func_new_async(&name, move |mut store, ty, arguments, results| {
            let stubbed = Arc::clone(&stubbed);
            Box::new(async move {
                let (running, named) = stubbed.enter(&mut store, arguments)?;
                let exact = || stubbed.reported(&named);
                let running = call::approved(&mut store, &stubbed.site, running, exact).await?;
                stubbed.answer(store, running, &ty, results)
            })
        })?;
        Ok(())
    }
}

/// One function, its handles as names.
struct Stubbed {
    site: Arc<Site>,
    kinds: Arc<ResourceKinds>,
    answers: Answers,
    parameters: Vec<Type>,
    result: Option<Type>,
}

impl Stubbed {
    fn reported(&self, named: &[Value]) -> Vec<Json> {
        let pairs = named.iter().zip(&self.parameters);
        pairs.map(|(value, ty)| value::to_json(value, ty)).collect()
    }

    fn enter(
        &self,
        store: &mut StoreContextMut<'_, Host>,
        arguments: &[Val],
    ) -> wasmtime::Result<(Running<'_>, Vec<Value>)> {
        let bytes = arguments.iter().map(value::size).sum();
        let mut named = Vec::with_capacity(arguments.len());
        for argument in arguments {
            named.push(resources::names_in(store, argument)?);
        }
        let json = || self.reported(&named);
        let running = Running::enter(store.data_mut(), &self.site, bytes, json, json)?;
        Ok((running, named))
    }

    fn answer(
        &self,
        mut store: StoreContextMut<'_, Host>,
        running: Running<'_>,
        ty: &ComponentFunc,
        results: &mut [Val],
    ) -> wasmtime::Result<()> {
        let site = &*self.site;
        let place = format!("{}.{}", site.import, site.function);
        let used = store.data_mut().answered.entry(place).or_insert(0);
        let chosen = self.answers.choose(*used);
        *used += 1;
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(message) => return Err(running.fail(store.data_mut(), Failure::trap(message))),
        };
        let (Some(chosen), Some(slot), Some(shape)) =
            (chosen, results.first_mut(), ty.results().next())
        else {
            return running.leave(store.data_mut(), 0, || None);
        };
        match resources::handles_in(&mut store, &self.kinds, chosen, &shape) {
            Ok(value) => *slot = value,
            Err(error) => {
                let host = store.data_mut();
                let failure = outcome::of_handles(host, &error);
                return Err(running.fail(host, failure));
            }
        }
        running.leave(store.data_mut(), value::size(chosen), || {
            self.result.as_ref().map(|ty| value::to_json(chosen, ty))
        })
    }
}
