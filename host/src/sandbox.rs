//! Sandbox: runs a linked component in wasmtime with exactly its imports and every limit on.

// Interface that session uses:
//
// Sandbox::new(…) -> Result<Sandbox, SandboxError>                       one Engine, one epoch ticker per process
// Sandbox::load(&self, component: &LinkedComponent, scope: Arc<Scope>, cache: Option<&Path>) -> Result<Program, SandboxError>
// Sandbox::instance(&self, program: &Program, limits: &RunLimits, observer: Arc<dyn Observer>) -> Result<Instance, Failure>
// Instance::call(&mut self, call: &Call) -> Report                        after a failure every further call fails and says so
// struct Call { interface: Option<String> /* export name */, function: String, arguments: Vec<Value> }
// struct Report { result: Result<Option<Value>, Failure>, log: Vec<String>, fuel: u64, memory: u64, elapsed: Duration }
// struct Failure { kind: FailureKind, message: String }
// enum FailureKind { Trap, Limit { name: &'static str, at: u64, used: u64 }, Contract, … }
// trait Observer: Send + Sync { fn host_call(&self, event: HostCall<'_>); fn log(&self, line: &str); }   (for the trace)
