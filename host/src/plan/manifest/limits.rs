//! `[limits]` and `[hole.H.limits]`: the keys of CONTRACTS section 5.

use super::document::{Document, Item, Key};
use super::keys::Table;
use crate::budget::Limits;

/// Reads one key over what `limits` holds.
pub(super) fn read(document: &mut Document<'_>, limits: &mut Limits, name: &Key, value: &Item<'_>) {
    if !document.one_of("limit", name, &Table::Limits.names(), &[]) {
        return;
    }
    let Limits {
        compile,
        run,
        model,
        component,
    } = limits;
    let size = Document::size;
    let time = Document::duration;
    let number = Document::number;
    match name.value.as_str() {
        "answer" => document.set(&mut compile.answer, size, name, value),
        "snippet" => document.set(&mut compile.snippet, size, name, value),
        "nesting" => document.set(&mut compile.nesting, number, name, value),
        "rustc-cpu" => document.set(&mut compile.rustc_cpu, time, name, value),
        "rustc-wall" => document.set(&mut compile.rustc_wall, time, name, value),
        "rustc-memory" => document.set(&mut compile.rustc_memory, size, name, value),
        "rustc-files" => document.set(&mut compile.rustc_files, size, name, value),
        "module" => document.set(&mut compile.module, size, name, value),
        "function" => document.set(&mut compile.function, size, name, value),
        "fuel" => document.set(&mut run.fuel, number, name, value),
        "wall" => document.set(&mut run.wall, time, name, value),
        "memory" => document.set(&mut run.memory, size, name, value),
        "tables" => document.set(&mut run.tables, number, name, value),
        "stack" => document.set(&mut run.stack, size, name, value),
        "host-calls" => document.set(&mut run.host_calls, number, name, value),
        "host-call-wall" => document.set(&mut run.host_call_wall, time, name, value),
        "crossing" => document.set(&mut run.crossing, size, name, value),
        "result" => document.set(&mut run.result, size, name, value),
        "log" => document.set(&mut run.log, size, name, value),
        "handles" => document.set(&mut run.handles, number, name, value),
        "staged" => document.set(&mut run.staged, size, name, value),
        "staged-keys" => document.set(&mut run.staged_keys, number, name, value),
        "entries" => document.set(&mut run.entries, number, name, value),
        "model-answer" => document.set(&mut model.answer, size, name, value),
        "model-silence" => document.set(&mut model.silence, time, name, value),
        "component-file" => document.set(&mut component.file, size, name, value),
        "component-cpu" => document.set(&mut component.cpu, time, name, value),
        "component-wall" => document.set(&mut component.wall, time, name, value),
        "component-memory" => document.set(&mut component.memory, size, name, value),
        _ => document.set_small(&mut model.retries, name, value),
    }
}
