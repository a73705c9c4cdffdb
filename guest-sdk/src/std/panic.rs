//! Marker types only. A hook could silence the log, and a panic always ends the call.

pub use ::std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe};
