//! Components that serve as tools, and WASI: what they may do, what they are refused, and what is left behind.
//!
//! The tools are made by `lacuna build`, which writes standard components, or by hand where no compiler would.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test writes its plans and components, starts the program and looks at its processes"
)]

#[path = "tool_components/bomb.rs"]
mod bomb;
#[path = "tool_components/load.rs"]
mod load;
mod support;
#[path = "tool_components/tools.rs"]
mod tools;
#[path = "tool_components/wasi.rs"]
mod wasi;
