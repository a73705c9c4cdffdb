//! The log: `lacuna:hole/console`, imported by hand so that it does not depend on the scope's bindings.

use std::cell::RefCell;

#[cfg(target_arch = "wasm32")]
mod host {
    #[link(wasm_import_module = "lacuna:hole/console@0.1.0")]
    unsafe extern "C" {
        #[link_name = "print"]
        fn print_raw(text: *const u8, length: usize);
        #[link_name = "panicked"]
        fn panicked_raw(text: *const u8, length: usize);
    }

    pub(super) fn print(line: &str) {
        // SAFETY: the two numbers are a readable range, which the host copies before it returns.
        unsafe { print_raw(line.as_ptr(), line.len()) }
    }

    pub(super) fn panicked(message: &str) {
        // SAFETY: as above.
        unsafe { panicked_raw(message.as_ptr(), message.len()) }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub(super) fn print(_: &str) {}
    pub(super) fn panicked(_: &str) {}
}

/// Bytes of an unfinished line that are kept before they go out as a line of their own: an endless `print!` without
/// a line end must meet the host's cap on the log, not fill the guest's memory.
const PENDING: usize = 4096;

/// Bytes of a panic message that are sent.
const MESSAGE: usize = 4096;

struct OneThread(RefCell<String>);

// SAFETY: wasm without the `atomics` feature has one thread; the assertion holds that.
unsafe impl Sync for OneThread {}
const _: () = assert!(!cfg!(target_feature = "atomics"));

/// What was printed since the last line end.
static UNFINISHED: OneThread = OneThread(RefCell::new(String::new()));

/// Appends text to the log; every complete line is one call of the host.
///
/// The text is already formatted: a `Display` that prints must not find the buffer borrowed.
pub fn log(text: &str) {
    let mut unfinished = UNFINISHED.0.borrow_mut();
    let mut rest = text;
    while let Some(at) = rest.find('\n') {
        if unfinished.is_empty() {
            host::print(&rest[..at]);
        } else {
            unfinished.push_str(&rest[..at]);
            host::print(&unfinished);
            unfinished.clear();
        }
        rest = &rest[at + 1..];
    }
    unfinished.push_str(rest);
    if unfinished.len() > PENDING {
        host::print(&unfinished);
        unfinished.clear();
    }
}

/// Appends text and a line end; a text of several lines is several calls of the host.
pub fn log_line(text: &str) {
    log(text);
    log("\n");
}

/// Sends an unfinished line. To be called when an export returns.
pub fn flush() {
    if let Ok(mut unfinished) = UNFINISHED.0.try_borrow_mut()
        && !unfinished.is_empty()
    {
        host::print(&unfinished);
        unfinished.clear();
    }
}

/// Says why the call is about to end.
pub(crate) fn say_panicked(message: &str) {
    host::panicked(message);
}

/// Sets the panic hook: the message, and behind it, on a line of its own, `at LINE:COLUMN` where the place stands in
/// `snippet.rs`. No other file is ever named. The host knows which lines of that file are the model's.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        flush();
        let text = info.payload_as_str().unwrap_or("a value that is no text");
        let mut end = text.len().min(MESSAGE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        match info.location() {
            Some(place) if place.file().rsplit('/').next() == Some("snippet.rs") => {
                host::panicked(&format!("{text}\nat {}:{}", place.line(), place.column()));
            }
            _ => host::panicked(text),
        }
    }));
}
