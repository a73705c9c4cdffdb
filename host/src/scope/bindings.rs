//! Runs the bindings generator on the cut world. It asserts and panics on what it does not expect, so it is treated
//! as code that may panic.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use wit_bindgen_core::{Files, WorldGenerator};
use wit_parser::{Docs, Resolve, TypeDefKind, WorldId, WorldItem};

use super::ScopeError;
use crate::error::Place;

/// Generates the raw bindings of `world`, leaving out the imports named in `without`.
pub(super) fn generate(
    resolve: &Resolve,
    world: WorldId,
    without: &BTreeSet<&str>,
    place: &Place,
) -> Result<String, ScopeError> {
    let mut resolve = resolve.clone();
    // The generator writes docs into the code, some of them into string literals without escaping.
    strip_docs(&mut resolve);
    let unnamed: Vec<_> = resolve.worlds[world]
        .imports
        .keys()
        .filter(|key| without.contains(resolve.name_world_key(key).as_str()))
        .cloned()
        .collect();
    for key in unnamed {
        resolve.worlds[world].imports.shift_remove(&key);
    }
    let options = wit_bindgen_rust::Opts {
        runtime_path: Some("::lacuna_rt".to_owned()),
        generate_all: true,
        export_prefix: Some(super::exports::MARK.to_owned()),
        generate_unused_types: true,
        disable_custom_section_link_helpers: true,
        ..Default::default()
    };
    let outcome = silently(AssertUnwindSafe(|| {
        let mut files = Files::default();
        options
            .build()
            .generate(&mut resolve, world, &mut files)
            .map(|()| files)
    }));
    let failed = |message: String| ScopeError::Generator {
        message,
        place: Box::new(place.clone()),
    };
    let files = match outcome {
        Ok(Ok(files)) => files,
        Ok(Err(error)) => return Err(failed(format!("{error:#}"))),
        Err(message) => return Err(failed(message)),
    };
    let Some((_, source)) = files.iter().next() else {
        return Err(failed("no file was generated".to_owned()));
    };
    String::from_utf8(source.to_vec()).map_err(|error| failed(error.to_string()))
}

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `run`; a panic becomes its message and is not printed. The hook is installed once and asks a flag of its own
/// thread, so panics of other threads are reported as before.
fn silently<T>(run: impl FnOnce() -> T + panic::UnwindSafe) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                before(info);
            }
        }));
    });
    SILENT.set(true);
    let outcome = panic::catch_unwind(run);
    SILENT.set(false);
    outcome.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        text.or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("the generator panicked")
            .to_owned()
    })
}

fn strip_docs(resolve: &mut Resolve) {
    let none = Docs::default;
    for (_, ty) in resolve.types.iter_mut() {
        ty.docs = none();
        match &mut ty.kind {
            TypeDefKind::Record(record) => record
                .fields
                .iter_mut()
                .for_each(|field| field.docs = none()),
            TypeDefKind::Flags(flags) => flags.flags.iter_mut().for_each(|flag| flag.docs = none()),
            TypeDefKind::Variant(variant) => {
                variant.cases.iter_mut().for_each(|case| case.docs = none())
            }
            TypeDefKind::Enum(cases) => cases.cases.iter_mut().for_each(|case| case.docs = none()),
            _ => {}
        }
    }
    for (_, interface) in resolve.interfaces.iter_mut() {
        interface.docs = none();
        interface
            .functions
            .values_mut()
            .for_each(|function| function.docs = none());
    }
    for (_, world) in resolve.worlds.iter_mut() {
        world.docs = none();
        for item in world.imports.values_mut().chain(world.exports.values_mut()) {
            match item {
                WorldItem::Function(function) => function.docs = none(),
                WorldItem::Interface { docs, .. } => *docs = none(),
                WorldItem::Type { .. } => {}
            }
        }
    }
}
