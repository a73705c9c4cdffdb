//! Lacuna: typed holes, filled by a language model, judged as a whole, run in wasmtime with exactly what was granted.

pub mod budget;
pub mod capability;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod error;
pub mod grant;
pub mod link;
pub mod model;
pub mod plan;
pub mod prompt;
pub mod sandbox;
pub mod scope;
pub mod session;
pub mod snippet;
pub mod toolchain;
pub mod trace;
pub mod value;
