//! Layouts. Allocation itself is `unsafe` everywhere and of no use to a snippet.

pub use ::std::alloc::{Layout, LayoutError};
