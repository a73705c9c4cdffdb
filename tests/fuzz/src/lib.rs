//! Fuzzing of Lacuna's verifier: from source text to verdict.
//!
//! Every case follows from a seed and its number: a plan with grants ([`plans`], [`smith`], [`stock`]), a snippet
//! ([`grammar`], [`escapes`], [`mutate`]), and how it is judged. [`judge`] judges it through the library, as a host program
//! would, and [`oracle`] and [`component`] say what must hold of the outcome. [`run`] does many of them in a process of
//! its own whose surroundings [`host`] prepares.

pub mod batch;
pub mod component;
pub mod escapes;
pub mod grammar;
pub mod grants;
pub mod host;
pub mod judge;
pub mod mutate;
pub mod oracle;
pub mod panics;
pub mod plans;
pub mod planted;
pub mod random;
pub mod report;
pub mod run;
pub mod smith;
pub mod stock;
pub mod world;
