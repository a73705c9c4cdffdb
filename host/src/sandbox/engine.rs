//! The engine's settings: fast to compile, deterministic to run, nothing on that no snippet needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::process::Resource;
use wasmtime::{Config, Engine, OptLevel};

use super::SandboxError;
use super::functions::Functions;
use super::ticker;

/// Address space set aside for a linear memory: all that 32 bits can reach, so that the code needs no bounds checks, which
/// are an eighth of Cranelift's work. It is address space and not memory: a thousand nested holes take 4 TiB of 128.
const MEMORY_RESERVATION: u64 = 4 * 1024 * 1024 * 1024;

/// The same where the address space of this process is limited: the default of the limit `memory`. A memory that grows
/// past it is moved, so larger limits need no other engine.
const SMALL_MEMORY_RESERVATION: u64 = 64 * 1024 * 1024;

/// Stack beside the guest's own, for host functions, which run on the same stack.
const HOST_STACK: usize = 2 * 1024 * 1024;

/// Largest `stack`: more could not be set aside for each of many instances.
const LARGEST_STACK: u64 = 1024 * 1024 * 1024;

/// What an engine is made with. Compiled code is only taken by an engine of the same settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Bytes of stack for wasm.
    stack: usize,
    /// Bytes of address space set aside for a linear memory.
    reservation: u64,
}

impl Settings {
    /// Those for this process. wasmtime takes no stack of 0; one byte is as little.
    pub(super) fn with_stack(stack: u64) -> Self {
        Self {
            stack: usize::try_from(stack.clamp(1, LARGEST_STACK)).unwrap_or(usize::MAX),
            reservation: match rustix::process::getrlimit(Resource::As).current {
                None => MEMORY_RESERVATION,
                Some(_) => SMALL_MEMORY_RESERVATION,
            },
        }
    }

    /// For another process, whose address space is limited although ours may not be.
    pub(super) fn arguments(self) -> Vec<String> {
        vec![self.stack.to_string(), self.reservation.to_string()]
    }

    /// What [`Settings::arguments`] wrote.
    pub(super) fn of_arguments(arguments: &[String]) -> Option<Self> {
        let [stack, reservation] = arguments else {
            return None;
        };
        let reservation = reservation.parse().ok()?;
        let known = [MEMORY_RESERVATION, SMALL_MEMORY_RESERVATION].contains(&reservation);
        let stack = stack.parse().ok()?;
        (known && (1..=LARGEST_STACK as usize).contains(&stack))
            .then_some(Self { stack, reservation })
    }
}

/// One engine for each value of the limit `stack`, which is a setting of the engine and not of the store. All but a few
/// plans use one.
#[derive(Debug, Default)]
pub(super) struct Engines {
    by_stack: Mutex<HashMap<usize, Engine>>,
    functions: Arc<Functions>,
}

impl Engines {
    /// The engine with this much stack for wasm, in bytes.
    pub(super) fn with_stack(&self, stack: u64) -> Result<Engine, SandboxError> {
        let settings = Settings::with_stack(stack);
        let stack = settings.stack;
        let mut known = self.by_stack.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = known.get(&stack) {
            return Ok(engine.clone());
        }
        let failed = |error: wasmtime::Error| SandboxError::Engine(format!("{error:#}"));
        let mut config = config(settings);
        config
            .enable_incremental_compilation(Arc::clone(&self.functions) as _)
            .map_err(failed)?;
        let engine = Engine::new(&config).map_err(failed)?;
        ticker::tick(&engine);
        known.insert(stack, engine.clone());
        Ok(engine)
    }

    /// The machine code that the engines share.
    pub(super) fn functions(&self) -> &Arc<Functions> {
        &self.functions
    }
}

/// What wasm compiled at opt-level 0 by rustc 1.95 uses is on: multi-value, bulk memory, reference types (for its
/// encoding of indirect calls), sign extension, saturating conversions, mutable globals. SIMD, threads, exceptions,
/// garbage collection, 64-bit memories, tail calls and several memories are off: a snippet gets them only through
/// `#[target_feature]`, and each is engine code that would face hostile input.
pub(super) fn config(settings: Settings) -> Config {
    let Settings { stack, reservation } = settings;
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_opt_level(OptLevel::None)
        .cranelift_nan_canonicalization(true)
        .parallel_compilation(true)
        // For unwinders and debuggers outside wasmtime; its own backtraces do without.
        .native_unwind_info(false)
        .generate_address_map(false)
        .max_wasm_stack(stack)
        .async_stack_size(stack.saturating_add(HOST_STACK))
        .memory_reservation(reservation)
        .memory_reservation_for_growth(SMALL_MEMORY_RESERVATION)
        .memory_may_move(true)
        .concurrency_support(false)
        .wasm_relaxed_simd(false)
        .wasm_simd(false)
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        .wasm_tail_call(false)
        .wasm_wide_arithmetic(false)
        .wasm_custom_page_sizes(false)
        .wasm_extended_const(false);
    config
}
