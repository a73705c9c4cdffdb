//! Spans of time. The time of day is a capability, so there is no clock here.

pub use ::std::time::{Duration, TryFromFloatSecsError};
