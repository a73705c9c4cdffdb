//! Numbers that a hole can drive, and what is left of them.

pub mod limits;

pub use limits::{CompileLimits, Limits, ModelLimits, RunLimits};
