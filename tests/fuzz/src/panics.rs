//! Panics of the host are faults, caught or not.

use std::cell::Cell;
use std::sync::Mutex;

static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Notes every panic from now on, and prints none.
pub fn watch() {
    std::panic::set_hook(Box::new(|panic| {
        if EXPECTED.get() {
            return;
        }
        if let Ok(mut seen) = SEEN.lock() {
            seen.push(panic.to_string().replace('\n', " "));
        }
    }));
}

/// Panics since the last time that this was asked.
pub fn take() -> Vec<String> {
    SEEN.lock()
        .map(|mut seen| std::mem::take(&mut *seen))
        .unwrap_or_default()
}

/// Runs code that is not the product's and may panic.
pub fn expected<T>(work: impl FnOnce() -> T) -> Option<T> {
    EXPECTED.set(true);
    // What it worked on is thrown away after a panic.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).ok();
    EXPECTED.set(false);
    result
}
