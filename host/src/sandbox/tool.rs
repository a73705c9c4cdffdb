//! Components that serve as tools: the provider `component`.
//!
//! A tool has a store of its own, the limits of the hole that calls it, and its own grants; nothing of it is shared with
//! the hole but the values of a call. There is one instance for each session and grant, so that a tool can keep state;
//! calls are made one after the other. After a trap, a limit or a call that was given up the instance is thrown away, and
//! the next call gets a fresh one. What a tool prints is not shown.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::foreign;
use super::{Call, Instance, Program, Sandbox, SandboxError, link};
use crate::capability::Failure;
use crate::capability::services::Services;
use crate::capability::tool::{BoxFuture, ImportType, Provider, Serve, ToolCall};
use crate::grant::{self, ComponentGrant, ComponentImport};
use crate::scope::{ScopeFunction, ScopeImport};
use crate::value::Value;

/// Loads the tools among the imports and keeps them in `services`, where `capability` finds them. Those that the
/// session has already stay.
pub(super) fn load<'a>(
    sandbox: &'a Sandbox,
    hole: &'a str,
    imports: &'a [ScopeImport],
    cache: Option<&'a Path>,
    services: &'a Arc<Services>,
) -> Pin<Box<dyn Future<Output = Result<(), SandboxError>> + Send + 'a>> {
    // Boxed, since a tool may have tools.
    Box::pin(async move {
        for import in imports {
            let grant::Provider::Component(grant) = &import.provider else {
                continue;
            };
            if services.opened(hole, import).is_some() {
                continue;
            }
            let program = program(sandbox, grant, cache, services).await?;
            let tool = Tool {
                program,
                grant: Arc::clone(grant),
            };
            services.open(hole, import, &tool)?;
        }
        Ok(())
    })
}

/// The compiled and linked component of a grant.
async fn program(
    sandbox: &Sandbox,
    grant: &Arc<ComponentGrant>,
    cache: Option<&Path>,
    services: &Arc<Services>,
) -> Result<Program, SandboxError> {
    let imports: Vec<ScopeImport> = grant.imports.iter().map(scope_import).collect();
    load(sandbox, &grant.place, &imports, cache, services).await?;
    let engine = sandbox.engines.with_stack(grant.run.stack)?;
    let failed = |error| SandboxError::Foreign {
        file: grant.file.clone(),
        error,
    };
    let component = foreign::compile(&engine, &sandbox.compiling, grant, cache)
        .await
        .map_err(failed)?;
    let (grant, services) = (Arc::clone(grant), Arc::clone(services));
    // Opening what is granted to it blocks.
    let linked = tokio::task::spawn_blocking(move || {
        let ready = link(&engine, &component, &grant.place, &imports, &services)?;
        Ok(Program {
            ready,
            limits: grant.run.clone(),
            // No line of it is a snippet's.
            snippet_lines: 0..0,
            services,
            hole: grant.place.clone(),
            hash: grant.hash.clone(),
        })
    });
    linked
        .await
        .unwrap_or_else(|error| Err(SandboxError::Refused(error.to_string())))
}

/// An import of a component in the form of a hole's.
fn scope_import(import: &ComponentImport) -> ScopeImport {
    let grant = &import.grant;
    ScopeImport {
        label: grant.label.clone(),
        import_name: import.name.clone(),
        interface: grant.interface.clone(),
        bare: import.bare,
        module: None,
        functions: import
            .functions
            .iter()
            .map(|function| ScopeFunction {
                wit: function.name.clone(),
                // No Rust is written against it.
                rust: String::new(),
                signature: String::new(),
                absolute: String::new(),
                docs: String::new(),
                parameters: function.parameters.clone(),
                result: function.result.clone(),
            })
            .collect(),
        withheld: grant.withheld.clone(),
        implicit: false,
        provider: grant.provider.clone(),
        rules: grant.rules.clone(),
    }
}

/// A loaded component.
struct Tool {
    program: Program,
    grant: Arc<ComponentGrant>,
}

impl Provider for Tool {
    fn open(&self, import: &ImportType) -> Result<Arc<dyn Serve>, String> {
        Ok(Arc::new(Served {
            label: import.label.clone(),
            shared: Arc::new(Shared {
                program: self.program.clone(),
                export: self.grant.export.clone(),
                instance: Mutex::default(),
            }),
        }))
    }
}

/// It in a session.
struct Served {
    label: String,
    shared: Arc<Shared>,
}

struct Shared {
    program: Program,
    export: Option<String>,
    /// The instance, unless a call has it or none was made since the last one failed.
    instance: Mutex<Option<Instance>>,
}

impl Serve for Served {
    fn call(&self, call: ToolCall) -> BoxFuture<'static, Result<Option<Value>, Failure>> {
        let label = self.label.clone();
        let shared = Arc::clone(&self.shared);
        Box::pin(async move {
            let function = call.function.written();
            let failed = |failure: &Failure| {
                Failure::trap(format!(
                    "the tool `{label}` failed in `{function}`: {failure}"
                ))
            };
            let mut slot = shared.instance.lock().await;
            // Taken out: if this future is dropped, the half-run instance goes with it.
            let mut instance = match slot.take() {
                Some(instance) => instance,
                None => Instance::start(&shared.program, Arc::new(()))
                    .await
                    .map_err(|failure| failed(&failure))?,
            };
            let report = instance
                .call(&Call {
                    interface: shared.export.clone(),
                    function: call.function.name.clone(),
                    arguments: call.arguments,
                    labels: call.labels,
                    named: Vec::new(),
                })
                .await;
            match report.result {
                Ok(value) => {
                    *slot = Some(instance);
                    Ok(value)
                }
                Err(failure) => Err(failed(&failure)),
            }
        })
    }
}
