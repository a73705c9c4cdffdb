//! Memory at the component's boundary.

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::ptr::NonNull;

/// Memory that a lowered list lies in until the call that reads it has returned.
pub struct Cleanup {
    start: NonNull<u8>,
    layout: Layout,
}

impl Cleanup {
    /// Room for `layout`; no size needs no memory, and no cleaning up.
    pub fn new(layout: Layout) -> (*mut u8, Option<Self>) {
        if layout.size() == 0 {
            return (std::ptr::null_mut(), None);
        }
        // SAFETY: the size is not zero.
        let Some(start) = NonNull::new(unsafe { alloc(layout) }) else {
            handle_alloc_error(layout)
        };
        (start.as_ptr(), Some(Self { start, layout }))
    }

    /// Leaves the memory to whom it was handed.
    pub fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        // SAFETY: made by `new` with this layout, freed once.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}

/// The canonical ABI's allocator, by which the host places arguments and results.
///
/// # Safety
/// `old` is null with `old_length` 0, or memory of that length and alignment that this function gave out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cabi_realloc(
    old: *mut u8,
    old_length: usize,
    align: usize,
    new_length: usize,
) -> *mut u8 {
    // The canonical ABI asks for powers of two up to 16 and lengths under 2³¹; anything else is a broken host.
    let Ok(layout) = Layout::from_size_align(new_length, align) else {
        panic!("the host asked for {new_length} bytes")
    };
    if new_length == 0 {
        return align as *mut u8;
    }
    // SAFETY: the size is not zero; `old` is as the caller promises.
    let start = unsafe {
        if old_length == 0 {
            alloc(layout)
        } else {
            realloc(
                old,
                Layout::from_size_align_unchecked(old_length, align),
                new_length,
            )
        }
    };
    if start.is_null() {
        handle_alloc_error(layout)
    }
    start
}
