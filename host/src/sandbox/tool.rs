//! Components that serve as tools: the provider `component`.
//!
//! A tool has a store of its own, the limits of the hole that calls it, and its own grants; nothing of it is shared with
//! the hole but the values of a call. There is one instance for each session and grant, so that a tool can keep state;
//! calls are made one after the other. After a trap, a limit or a call that was given up the instance is thrown away, and
//! the next call gets a fresh one. Its own host calls and what it prints are told as the hole's are, under `TOOL/IMPORT`.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Mutex;

use super::foreign;
use super::{Call, Instance, Program, Sandbox, SandboxError, link};
use crate::capability::approval::{Decision, Request};
use crate::capability::services::Services;
use crate::capability::tool::{BoxFuture, ImportType, Provider, Serve, ToolCall};
use crate::capability::{Failure, FailureKind, HostCall, Observer};
use crate::grant::{self, ComponentGrant, ComponentImport};
use crate::labels::Labels;
use crate::scope::ScopeImport;
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
    let imports: Vec<ScopeImport> = grant
        .imports
        .iter()
        .map(ComponentImport::as_scope)
        .collect();
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
            let failed = |failure: &Failure| Failure {
                // A rule that was broken, or a call that was not approved, is that for the hole too.
                kind: match failure.kind {
                    FailureKind::Rule | FailureKind::Approval => failure.kind,
                    _ => FailureKind::Trap,
                },
                message: format!("the tool `{label}` failed in `{function}`: {failure}"),
                rule: (failure.rule.as_ref()).map(|rule| format!("{label}/{rule}")),
            };
            let mut slot = shared.instance.lock().await;
            // Taken out: if this future is dropped, the half-run instance goes with it.
            let mut instance = match slot.take() {
                Some(instance) => instance,
                None => Instance::start(&shared.program, Arc::new(()))
                    .await
                    .map_err(|failure| failed(&failure))?,
            };
            instance.observe(Arc::new(Within {
                observer: call.watcher.0,
                label: label.clone(),
            }));
            let report = instance
                .call(&Call {
                    interface: shared.export.clone(),
                    function: call.function.name.clone(),
                    arguments: call.arguments,
                    labels: call.labels,
                    named: Vec::new(),
                })
                .await;
            // The observer knows the session, which holds this tool.
            instance.observe(Arc::new(()));
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

/// Tells what a tool does as what happens within the hole's call.
struct Within {
    observer: Arc<dyn Observer>,
    label: String,
}

impl Observer for Within {
    fn host_call(&self, event: HostCall<'_>) {
        let import = format!("{}/{}", self.label, event.import);
        self.observer.host_call(HostCall {
            import: &import,
            ..event
        });
    }

    fn log(&self, line: &str, labels: Labels) {
        self.observer
            .log(&format!("[{}] {line}", self.label), labels);
    }

    fn approval(&self, request: &Request, decision: &Decision, labels: Labels) {
        self.observer.approval(request, decision, labels);
    }

    fn flow(&self, rule: &str, labels: Labels) {
        self.observer
            .flow(&format!("{}/{rule}", self.label), labels);
    }

    fn wants_calls(&self) -> bool {
        self.observer.wants_calls()
    }
}
