//! The allocator of std, which also says when it has no more memory.
//!
//! `handle_alloc_error` aborts without a word on this target, and its hook is unstable. So the message is sent where
//! the memory was refused. `try_reserve` is refused in the same way and may go on: the host uses the last message
//! only when the call then ends in a trap.

use std::alloc::{GlobalAlloc, Layout, System};

struct Telling;

#[global_allocator]
static ALLOCATOR: Telling = Telling;

#[cold]
#[inline(never)]
fn refused(bytes: usize) {
    // Formatted by hand: there may be no memory for a string.
    const HEAD: &[u8] = b"memory allocation of ";
    const TAIL: &[u8] = b" bytes failed";
    let mut text = [0; HEAD.len() + 20 + TAIL.len()];
    let mut digits = [0; 20];
    let mut rest = bytes;
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let mut length = 0;
    for part in [HEAD, &digits[first..], TAIL] {
        text[length..length + part.len()].copy_from_slice(part);
        length += part.len();
    }
    if let Ok(text) = std::str::from_utf8(&text[..length]) {
        crate::console::say_panicked(text);
    }
}

fn told(start: *mut u8, bytes: usize) -> *mut u8 {
    if start.is_null() {
        refused(bytes);
    }
    start
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Telling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        told(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        told(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        told(unsafe { System.realloc(start, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(start, layout) }
    }
}
