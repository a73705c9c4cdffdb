//! Default limits (CONTRACTS section 5). Each is a key of `[limits]` or `[hole.H.limits]`; `0` allows nothing, an
//! absent key is the default, and nothing is unlimited.

use std::time::Duration;

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const GIB: u64 = 1024 * MIB;

/// All limits of one hole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Of the judgement.
    pub compile: CompileLimits,
    /// Of each call.
    pub run: RunLimits,
    /// Of each answer.
    pub model: ModelLimits,
    /// Of components that serve as tools.
    pub component: ComponentLimits,
}

impl Limits {
    /// Every limit by its key, as a trace shows them: sizes in bytes, times in milliseconds.
    pub fn by_key(&self) -> serde_json::Value {
        let Self {
            compile,
            run,
            model,
            component,
        } = self;
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        serde_json::json!({
            "answer": compile.answer, "snippet": compile.snippet, "nesting": compile.nesting,
            "rustc-cpu": millis(compile.rustc_cpu), "rustc-wall": millis(compile.rustc_wall),
            "rustc-memory": compile.rustc_memory, "rustc-files": compile.rustc_files,
            "module": compile.module, "function": compile.function,
            "fuel": run.fuel, "wall": millis(run.wall), "memory": run.memory, "tables": run.tables,
            "stack": run.stack, "host-calls": run.host_calls, "host-call-wall": millis(run.host_call_wall),
            "crossing": run.crossing, "result": run.result, "log": run.log, "handles": run.handles,
            "staged": run.staged, "staged-keys": run.staged_keys, "entries": run.entries,
            "model-answer": model.answer, "model-silence": millis(model.silence), "model-retries": model.retries,
            "component-file": component.file, "component-cpu": millis(component.cpu),
            "component-wall": millis(component.wall), "component-memory": component.memory,
        })
    }
}

/// Limits of the judgement of one snippet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// `answer`: bytes of the model's whole answer.
    pub answer: u64,
    /// `snippet`: bytes of the extracted code.
    pub snippet: u64,
    /// `nesting`: depth of anything that nests in the token stream.
    pub nesting: u64,
    /// `rustc-cpu`: CPU time of the compiler.
    pub rustc_cpu: Duration,
    /// `rustc-wall`: wall time of the compiler.
    pub rustc_wall: Duration,
    /// `rustc-memory`: address space of the compiler in bytes beyond what it maps at the start.
    pub rustc_memory: u64,
    /// `rustc-files`: bytes of the largest file the compiler may write.
    pub rustc_files: u64,
    /// `module`: bytes of the core module.
    pub module: u64,
    /// `function`: bytes of the largest function body of the core module.
    pub function: u64,
}

impl Default for CompileLimits {
    fn default() -> Self {
        Self {
            answer: MIB,
            snippet: 64 * KIB,
            nesting: 128,
            rustc_cpu: Duration::from_secs(10),
            rustc_wall: Duration::from_secs(20),
            rustc_memory: GIB,
            rustc_files: 64 * MIB,
            module: 4 * MIB,
            function: 512 * KIB,
        }
    }
}

/// Limits of one call of a fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// `fuel`: wasmtime fuel units.
    pub fuel: u64,
    /// `wall`: wall time, host calls included.
    pub wall: Duration,
    /// `memory`: bytes of all linear memories added up.
    pub memory: u64,
    /// `tables`: table elements added up.
    pub tables: u64,
    /// `stack`: bytes of wasm stack.
    pub stack: u64,
    /// `host-calls`: number of calls of granted functions, the console included.
    pub host_calls: u64,
    /// `host-call-wall`: wall time of one host call.
    pub host_call_wall: Duration,
    /// `crossing`: bytes that cross in one host call (arguments and result), as the host holds them.
    pub crossing: u64,
    /// `result`: bytes of the call's result, as the component lays it out.
    pub result: u64,
    /// `log`: bytes of console text.
    pub log: u64,
    /// `handles`: resource handles open at once. As many again may be lent to one call.
    pub handles: u64,
    /// `staged`: bytes that the call may write.
    pub staged: u64,
    /// `staged-keys`: paths that the call may change.
    pub staged_keys: u64,
    /// `entries`: entries of one folder listing, walk or glob.
    pub entries: u64,
}

impl Default for RunLimits {
    fn default() -> Self {
        Self {
            fuel: 50_000_000_000,
            wall: Duration::from_secs(60),
            memory: 64 * MIB,
            tables: 100_000,
            stack: 512 * KIB,
            host_calls: 10_000,
            host_call_wall: Duration::from_secs(30),
            crossing: 8 * MIB,
            result: MIB,
            log: 64 * KIB,
            handles: 1000,
            staged: 256 * MIB,
            staged_keys: 10_000,
            entries: 10_000,
        }
    }
}

/// Limits of one request to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// `model-answer`: bytes of the answer as it arrives.
    pub answer: u64,
    /// `model-silence`: longest time without a byte.
    pub silence: Duration,
    /// `model-retries`: retries of a request that failed for a passing reason.
    pub retries: u32,
}

impl Default for ModelLimits {
    fn default() -> Self {
        Self {
            answer: MIB,
            silence: Duration::from_secs(60),
            retries: 4,
        }
    }
}

/// Limits of compiling one component that serves as a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentLimits {
    /// `component-file`: bytes of the component.
    pub file: u64,
    /// `component-cpu`: CPU time of the process that compiles it, all cores added up.
    pub cpu: Duration,
    /// `component-wall`: wall time of it.
    pub wall: Duration,
    /// `component-memory`: address space of it in bytes beyond what it maps at the start.
    pub memory: u64,
}

impl Default for ComponentLimits {
    fn default() -> Self {
        Self {
            file: 64 * MIB,
            cpu: Duration::from_secs(60),
            wall: Duration::from_secs(60),
            memory: 2 * GIB,
        }
    }
}
