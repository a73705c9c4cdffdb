//! The `alloc` that a snippet sees: what the curated `std` has of it. See that crate.
//!
//! The modules are this crate's own: as plain re-exports they would make rustc offer each import twice, and an advice
//! of two can't be applied by machine.

macro_rules! modules {
    ($($name:ident),*) => {$(
        #[allow(missing_docs, reason = "the docs are those of `std`")]
        pub mod $name {
            pub use std::$name::*;
        }
    )*};
}
modules!(borrow, boxed, fmt, rc, slice, str, string, task, vec);

#[allow(missing_docs, reason = "the docs are those of `std`")]
pub mod alloc {
    pub use std::alloc::{Layout, LayoutError};
}

#[allow(missing_docs, reason = "the docs are those of `std`")]
pub mod collections {
    pub use std::collections::{
        BTreeMap, BTreeSet, BinaryHeap, LinkedList, TryReserveError, VecDeque, binary_heap,
        btree_map, btree_set, linked_list, vec_deque,
    };
}

#[allow(missing_docs, reason = "the docs are those of `std`")]
pub mod ffi {
    pub use std::ffi::{CString, FromVecWithNulError, IntoStringError, NulError};
}

#[allow(missing_docs, reason = "the docs are those of `std`")]
pub mod sync {
    pub use std::sync::{Arc, Weak};
}

pub use std::format;

mod macros_only {
    mod vec {}
    pub use std::*;
}
pub use macros_only::vec;
