//! The provider `stub`: answers from a JSON file, for dry runs and for tests. No code runs and nothing is touched.
//!
//! Its functions are those of the plan, so their types are known only at run time and values go through `Value`.
//! A resource is a name: the answer `"@NAME"` makes an owned handle of that name, and reports show the name.

mod answers;
pub(super) mod resources;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Map, Value as Json};
use wasmtime::StoreContextMut;
use wasmtime::component::types::ComponentFunc;
use wasmtime::component::{LinkerInstance, Val};

use super::call::{Running, Site};
use super::handles::ResourceKinds;
use super::host::Host;
use super::outcome::{self, Failure};
use super::{CapabilityError, Provide};
use crate::grant::StubGrant;
use crate::scope::{ScopeFunction, ScopeImport};
use crate::value::{self, Type};
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
        target.func_new(&name, move |store, ty, arguments, results| {
            let reported = Reported {
                parameters: &parameters,
                result: result.as_ref(),
            };
            answer(
                store, &site, &kinds, &answers, &reported, &ty, arguments, results,
            )
        })?;
        Ok(())
    }
}

/// The types of a function as reports show them, handles as names.
struct Reported<'a> {
    parameters: &'a [Type],
    result: Option<&'a Type>,
}

#[expect(
    clippy::too_many_arguments,
    reason = "what the engine passes to a dynamically typed function, and what was prepared for it"
)]
fn answer(
    mut store: StoreContextMut<'_, Host>,
    site: &Site,
    kinds: &ResourceKinds,
    answers: &Answers,
    reported: &Reported<'_>,
    ty: &ComponentFunc,
    arguments: &[Val],
    results: &mut [Val],
) -> wasmtime::Result<()> {
    let bytes = arguments.iter().map(value::size).sum();
    let mut named = Vec::with_capacity(arguments.len());
    for argument in arguments {
        named.push(resources::names_in(&mut store, argument)?);
    }
    let running = Running::enter(store.data_mut(), site, bytes, || {
        named
            .iter()
            .zip(reported.parameters)
            .map(|(argument, ty)| value::to_json(argument, ty))
            .collect()
    })?;
    let place = format!("{}.{}", site.import, site.function);
    let used = store.data_mut().answered.entry(place).or_insert(0);
    let chosen = answers.choose(*used);
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
    match resources::handles_in(&mut store, kinds, chosen, &shape) {
        Ok(value) => *slot = value,
        Err(error) => {
            let host = store.data_mut();
            let failure = match error.downcast_ref::<Failure>() {
                Some(failure) => failure.clone(),
                None if outcome::is_handle_limit(&error) => {
                    outcome::handle_limit(host.limits.handles)
                }
                None => Failure::trap(error.root_cause().to_string()),
            };
            return Err(running.fail(host, failure));
        }
    }
    running.leave(store.data_mut(), value::size(chosen), || {
        reported.result.map(|ty| value::to_json(chosen, ty))
    })
}
