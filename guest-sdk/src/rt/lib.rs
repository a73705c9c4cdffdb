//! What the code of wit-bindgen-rust 0.60 asks of its runtime, and the log of a hole.
//!
//! The host compiles this crate as `lacuna_rt` with rustc. Only the generated bindings and the curated `std` name it:
//! a snippet can't (it lies in a `-L dependency=` folder), so what is `unsafe` or careless here is out of its reach.

mod allocator;
mod console;
mod flags;
pub mod instances;
mod memory;
mod nexts;
mod resource;
mod sort;

pub use console::{flush, log, log_line};
pub use memory::{Cleanup, cabi_realloc};
pub use nexts::Nexts;
pub use resource::{Resource, ResourceRep};
pub use sort::sort;

/// Where the generated code looks for `bitflags!` (`{runtime_path}::bitflags::bitflags!`).
pub mod bitflags {
    pub use crate::__lacuna_bitflags as bitflags;
}

/// Called at the head of every export; the first call prepares the instance.
pub fn run_ctors_once() {
    use std::sync::atomic::{AtomicBool, Ordering};
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) {
        init();
    }
}

/// Sends panic messages to the log. Called once, by [`run_ctors_once`].
fn init() {
    console::report_panics();
}

/// The generated code calls this to keep `cabi_realloc` alive; here the linker's command line exports it.
pub fn maybe_link_cabi_realloc() {}
