//! The state of one running instance: what is left of its limits, its log, its handles.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha20Rng;
use serde_json::Value as Json;
use wasmtime::ResourceLimiter;

use super::approval::Deadline;
use super::call::Changes;
use super::handles::Handles;
use super::outcome::{Failure, LimitHit, Observer, Sent};
use super::services::Services;
use super::{clock, text, wasi};
use crate::budget::RunLimits;
use crate::labels::Labels;

/// Bytes of arguments of calls that can't be undone which are kept for the outcome.
const MOST_SENT: usize = 1024 * 1024;

/// Longest time that is still added to a clock; a manifest may ask for more than `Instant` can hold.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Core instances, memories and tables of one program. A linked component has one module and two or three small ones
/// that `wit-component` adds, so these are far from any honest use; they bound what the engine allocates per item.
const ITEMS: usize = 100;

/// Data of the `Store`.
pub(crate) struct Host {
    /// The hole's limits.
    pub(crate) limits: RunLimits,
    /// Who hears of host calls and log lines.
    pub(crate) observer: Arc<dyn Observer>,
    /// Handles of host resources that the guest holds.
    pub(crate) handles: Handles,
    /// For each stubbed function with a sequence, how many answers are used.
    pub(crate) answered: HashMap<String, usize>,
    /// What `lacuna:clock/monotonic` has told.
    pub(crate) readings: clock::Readings,
    /// Where each import of `lacuna:random` stands in its numbers.
    pub(crate) streams: HashMap<String, ChaCha20Rng>,
    /// Patterns that `lacuna:text/regex` has compiled.
    pub(crate) patterns: Arc<text::Patterns>,
    /// What the guest has of WASI.
    pub(crate) wasi: wasi::Wasi,
    /// When the call's wall time ends.
    pub(crate) deadline: Arc<Deadline>,
    /// What the holes of the session share.
    pub(crate) services: Arc<Services>,
    /// The hole's name.
    pub(crate) hole: String,
    /// `blake3:…` of the component.
    pub(crate) component: String,
    /// Labels of all that the instance has been given. They only grow.
    pub(crate) labels: Labels,
    /// The call's own arguments by name, if a rule looks at them.
    pub(crate) parameters: Vec<(String, Json)>,
    /// Calls of functions that have a number of them, by import and function.
    pub(crate) counted: HashMap<(String, String), u64>,
    /// The lines of the compiled file that are the snippet's, counted from 1.
    pub(crate) snippet_lines: Range<u32>,
    /// Panic text of the call.
    pub(crate) panic: Option<String>,
    /// Log lines of the call.
    pub(crate) log: Vec<String>,
    /// Bytes of them.
    pub(crate) log_bytes: u64,
    /// Calls that were made and can't be undone.
    pub(crate) sent: Vec<Sent>,
    /// Bytes of their arguments.
    sent_bytes: usize,
    /// Host calls of the call.
    pub(crate) host_calls: u64,
    /// What the call's file functions have written and changed.
    pub(crate) changes: Arc<Changes>,
    /// Bytes of all linear memories.
    memory: u64,
    /// The last growth that was allowed, until the next one: what is taken back when the engine could not do it.
    last_growth: u64,
    /// Most bytes of all linear memories.
    pub(crate) peak_memory: u64,
    /// Elements of all tables.
    tables: u64,
    /// See `last_growth`.
    last_table_growth: u64,
    /// Why the call is about to fail; the first reason stays.
    failure: Option<Failure>,
}

impl Host {
    /// The state before the first call.
    pub(crate) fn new(limits: RunLimits, observer: Arc<dyn Observer>) -> Self {
        let deadline = Arc::new(Deadline::new(deadline(limits.wall)));
        Self {
            limits,
            observer,
            handles: Handles::default(),
            answered: HashMap::new(),
            readings: clock::Readings::default(),
            streams: HashMap::new(),
            patterns: Arc::default(),
            wasi: wasi::Wasi::default(),
            deadline,
            services: Arc::default(),
            hole: String::new(),
            component: String::new(),
            labels: Labels::NONE,
            parameters: Vec::new(),
            counted: HashMap::new(),
            snippet_lines: 0..0,
            panic: None,
            log: Vec::new(),
            log_bytes: 0,
            sent: Vec::new(),
            sent_bytes: 0,
            host_calls: 0,
            changes: Arc::default(),
            memory: 0,
            last_growth: 0,
            peak_memory: 0,
            tables: 0,
            last_table_growth: 0,
            failure: None,
        }
    }

    /// Gives the next call its own wall time, host calls and log. Memory, tables and handles stay: they are the
    /// instance's.
    pub(crate) fn begin_call(&mut self) {
        self.deadline = Arc::new(Deadline::new(deadline(self.limits.wall)));
        self.counted.clear();
        self.panic = None;
        self.log.clear();
        self.log_bytes = 0;
        self.sent.clear();
        self.sent_bytes = 0;
        self.host_calls = 0;
        self.changes = Arc::default();
    }

    /// Notes a call that can't be undone. A guest chooses how large its arguments are and how often it calls.
    pub(crate) fn note_sent(&mut self, mut sent: Sent) {
        let arguments = sent.arguments.iter();
        let bytes: usize = arguments.map(|it| it.to_string().len()).sum();
        match self.sent_bytes.saturating_add(bytes) {
            all if all <= MOST_SENT => self.sent_bytes = all,
            _ => {
                sent.arguments.clear();
                sent.cut = true;
            }
        }
        self.sent.push(sent);
    }

    /// Notes why the call fails and gives the error that unwinds the guest.
    pub(crate) fn fail(&mut self, failure: impl Into<Failure>) -> wasmtime::Error {
        let failure = failure.into();
        let error = wasmtime::Error::new(failure.clone());
        self.failure.get_or_insert(failure);
        error
    }

    /// Why the call fails, if a host function or a limiter said so.
    pub(crate) fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }
}

/// The end of a span that starts now.
pub(crate) fn deadline(span: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(span.min(LONGEST)).unwrap_or(now)
}

impl ResourceLimiter for Host {
    /// A growth past the limit ends the guest at once: left to itself it would see a failed allocation and abort
    /// without a word of why.
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = desired.saturating_sub(current) as u64;
        let total = self.memory.saturating_add(growth);
        let at = self.limits.memory;
        if total > at {
            return Err(self.fail(LimitHit {
                name: "memory",
                at,
                used: total,
            }));
        }
        self.memory = total;
        self.last_growth = growth;
        self.peak_memory = self.peak_memory.max(total);
        Ok(true)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory = self.memory.saturating_sub(self.last_growth);
        self.last_growth = 0;
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = desired.saturating_sub(current) as u64;
        let total = self.tables.saturating_add(growth);
        let at = self.limits.tables;
        if total > at {
            return Err(self.fail(LimitHit {
                name: "tables",
                at,
                used: total,
            }));
        }
        self.tables = total;
        self.last_table_growth = growth;
        Ok(true)
    }

    fn table_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.tables = self.tables.saturating_sub(self.last_table_growth);
        self.last_table_growth = 0;
        Ok(())
    }

    fn instances(&self) -> usize {
        ITEMS
    }

    fn tables(&self) -> usize {
        ITEMS
    }

    fn memories(&self) -> usize {
        ITEMS
    }
}
