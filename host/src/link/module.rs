//! A core module, section by section: nothing in it that the cut world and the engine do not have.

use wasm_encoder::{Module, RawSection};
use wasmparser::{Parser, Payload, TypeRef, Validator, WasmFeatures};

use super::Refusal;
use crate::compile::CoreNames;
use crate::layer::{self, Layer};

/// WebAssembly that the engine runs: version 2.0 without SIMD. That and later proposals (tail calls, threads, relaxed
/// SIMD, garbage collection, exceptions, 64-bit and several memories) are off in the engine too; a snippet can ask for
/// some of them with a safe `#[target_feature]`.
const CORE: WasmFeatures = WasmFeatures::WASM2.difference(WasmFeatures::SIMD);

/// Custom sections that compilers write, and that carry no meaning for the engine. They are dropped.
const KNOWN: [&str; 4] = ["name", "producers", "target_features", "linking"];

/// A module that was looked at.
pub(super) struct Checked {
    /// The module without its custom sections.
    pub(super) stripped: Vec<u8>,
    /// Module and name of what it imports.
    pub(super) imports: Vec<(String, String)>,
}

/// Checks features, imports, exports, the start function and custom sections.
pub(super) fn check(wasm: &[u8], world: &CoreNames) -> Result<Checked, Refusal> {
    // Without the layer only what is read below: imports, for the report.
    let features = if layer::stands(Layer::Link) {
        CORE
    } else {
        WasmFeatures::all()
    };
    Validator::new_with_features(features)
        .validate_all(wasm)
        .map_err(|error| {
            Refusal::new(
                "engine-feature",
                format!(
                    "the compiled code needs what the engine does not have: {}; `#[target_feature]` cannot be used",
                    error.message()
                ),
            )
        })?;
    let malformed = |error: wasmparser::BinaryReaderError| {
        Refusal::new("engine-feature", error.message().to_owned())
    };
    let mut imports = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.map_err(malformed)? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(malformed)?;
                    check_import(import.module, import.name, import.ty, world)?;
                    imports.push((import.module.to_owned(), import.name.to_owned()));
                }
            }
            Payload::ExportSection(section) if layer::stands(Layer::Link) => {
                for export in section {
                    let export = export.map_err(malformed)?;
                    if !world.exports(export.name) {
                        return Err(Refusal::new(
                            "extra-export",
                            format!(
                                "the code exports `{}`, which the hole does not ask for",
                                export.name.escape_debug()
                            ),
                        ));
                    }
                }
            }
            Payload::StartSection { .. } if layer::stands(Layer::Link) => {
                return Err(Refusal::new(
                    "start-function",
                    "the code has a start function: nothing may run before the hole is called",
                ));
            }
            Payload::CustomSection(section) if layer::stands(Layer::Link) => {
                let name = section.name();
                // Bindings bring a `component-type:…` of their own; the world that counts is embedded later, from the scope.
                if !KNOWN.contains(&name)
                    && !name.starts_with("component-type")
                    && !name.starts_with("reloc.")
                {
                    return Err(Refusal::new(
                        "custom-section",
                        format!("the code brings a custom section `{}`", name.escape_debug()),
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(Checked {
        stripped: strip(wasm).map_err(malformed)?,
        imports,
    })
}

/// Validates the finished component with the features that the engine has.
pub(super) fn check_component(component: &[u8]) -> Result<(), Refusal> {
    if !layer::stands(Layer::Link) {
        return Ok(());
    }
    Validator::new_with_features(CORE | WasmFeatures::COMPONENT_MODEL)
        .validate_all(component)
        .map(|_| ())
        .map_err(|error| {
            Refusal::new(
                "engine-feature",
                format!(
                    "the component needs what the engine does not have: {}",
                    error.message()
                ),
            )
        })
}

fn check_import(module: &str, name: &str, kind: TypeRef, world: &CoreNames) -> Result<(), Refusal> {
    let granted = world
        .imports
        .contains(&(module.to_owned(), name.to_owned()));
    if granted && matches!(kind, TypeRef::Func(_)) || !layer::stands(Layer::Link) {
        return Ok(());
    }
    let (module, name) = (module.escape_debug(), name.escape_debug());
    Err(Refusal::new(
        "not-granted",
        format!("the code imports `{name}` of `{module}`, which is not granted to this hole"),
    ))
}

/// The module without custom sections. Names help nobody here: a trap is shown with its message, and a component is the
/// same bytes whatever the compiler called its functions.
fn strip(wasm: &[u8]) -> Result<Vec<u8>, wasmparser::BinaryReaderError> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::CustomSection(section) = &payload
            && (layer::stands(Layer::World) || !section.name().starts_with("component-type"))
        {
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection {
                id,
                data: &wasm[range],
            });
        }
    }
    Ok(module.finish())
}
