//! Link: makes a component of a core module and checks it against the cut world. Only [`check`] makes a `LinkedComponent`.
//!
//! Names are closed before a snippet gets here; this stage believes none of it. It looks at the module that came out, at
//! every import, export, section and feature, and refuses what the cut world does not have.

mod module;
#[cfg(test)]
mod tests;

use std::time::Instant;

use wit_component::{ComponentEncoder, StringEncoding};

use crate::compile::{CoreModule, CoreNames};
use crate::diagnostic::{self, Diagnostic, Fix, Level, Rejection, Stage};
use crate::layer::{self, Layer};
use crate::scope::Scope;
use crate::snippet::Snippet;

/// A component that imports at most what its scope grants and exports exactly what the hole asks for.
#[derive(Debug)]
pub struct LinkedComponent {
    pub(crate) bytes: Vec<u8>,
    /// The snippet that was judged (after repairs).
    pub snippet: Snippet,
    /// Fixes that were applied before judging.
    pub repaired: Vec<Fix>,
    /// Warnings of the compiler.
    pub warnings: Vec<Diagnostic>,
    /// What it imports: used, not granted.
    pub imports: Vec<UsedImport>,
    /// Names of its exports.
    pub exports: Vec<String>,
    /// `blake3:…` of the component's bytes.
    pub hash: String,
    /// Hash of the scope it was checked against.
    pub scope: String,
    /// Milliseconds of rustc and its linker.
    pub compile_millis: u64,
    /// Milliseconds of encoding and checking.
    pub link_millis: u64,
}

impl LinkedComponent {
    /// The component as a file holds it.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// An import that a component has.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct UsedImport {
    /// Name of the import: `repo`, `lacuna:fs/read@0.1.0`, or a function of the world.
    pub name: String,
    /// Id of the interface it was made from.
    pub interface: Option<String>,
    /// Functions of it that the component imports, WIT names.
    pub functions: Vec<String>,
    /// Not written by the plan's author.
    pub implicit: bool,
}

/// Why a module can't become a component of its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refusal {
    /// Behind `lacuna::`.
    code: &'static str,
    message: String,
}

impl Refusal {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

/// Makes a component of `module` and proves that it fits `scope`.
///
/// # Errors
/// A rejection at stage `link` that names what the module asks for and the scope does not grant.
pub fn check(scope: &Scope, module: CoreModule) -> Result<LinkedComponent, Rejection> {
    let started = Instant::now();
    let compile_millis = module.millis;
    let (bytes, imports, exports) = link(scope, &module.wasm).map_err(|refusal| Rejection {
        stage: Stage::Link,
        diagnostics: diagnostic::finish(vec![shown(refusal)], &module.snippet.text).0,
        omitted: 0,
        repaired: module.repaired.clone(),
        millis: compile_millis,
    })?;
    Ok(LinkedComponent {
        hash: format!("blake3:{}", blake3::hash(&bytes).to_hex()),
        bytes,
        snippet: module.snippet,
        repaired: module.repaired,
        warnings: module.warnings,
        imports,
        exports,
        scope: scope.hash.clone(),
        compile_millis,
        link_millis: started.elapsed().as_millis() as u64,
    })
}

fn link(scope: &Scope, wasm: &[u8]) -> Result<(Vec<u8>, Vec<UsedImport>, Vec<String>), Refusal> {
    let world = CoreNames::of(scope);
    let checked = module::check(wasm, &world)?;
    let encode = || -> anyhow::Result<Vec<u8>> {
        let mut core = checked.stripped;
        wit_component::embed_component_metadata(
            &mut core,
            &scope.resolve,
            scope.world,
            StringEncoding::UTF8,
        )?;
        let component = ComponentEncoder::default()
            .validate(false)
            .module(&core)?
            .encode()?;
        // The second opinion on the names checked above: the component as a whole, against the world as a whole.
        if layer::stands(Layer::Link) {
            wit_component::targets(&scope.resolve, scope.world, &component)?;
        }
        Ok(component)
    };
    let component = encode().map_err(|error| {
        // The innermost cause names the function; the outer ones name steps of the encoder.
        Refusal::new(
            "world-mismatch",
            format!(
                "the code does not make a component of this hole: {}",
                error.root_cause()
            ),
        )
    })?;
    module::check_component(&component)?;
    Ok((component, used(scope, &checked.imports), world.export_names))
}

/// The granted imports of which the module imports a function, in the scope's order.
fn used(scope: &Scope, imports: &[(String, String)]) -> Vec<UsedImport> {
    scope
        .imports
        .iter()
        .filter_map(|import| {
            let module = if import.bare {
                "$root"
            } else {
                &import.import_name
            };
            let functions: Vec<String> = import
                .functions
                .iter()
                .map(|function| function.wit.clone())
                .filter(|wit| imports.iter().any(|(of, name)| of == module && name == wit))
                .collect();
            (!functions.is_empty()).then(|| UsedImport {
                name: import.import_name.clone(),
                interface: import.interface.clone(),
                functions,
                implicit: import.implicit,
            })
        })
        .collect()
}

fn shown(refusal: Refusal) -> Diagnostic {
    Diagnostic {
        code: Some(format!("lacuna::{}", refusal.code)),
        level: Level::Error,
        message: refusal.message,
        spans: Vec::new(),
        help: Vec::new(),
        fix: None,
        rendered: String::new(),
    }
}
