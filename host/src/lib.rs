//! Lacuna: typed holes in a program, filled by a language model.
//!
//! A hole is a world of a WIT package. Its doc comment is the task, its exported function is the type, its imports are
//! the only authority. The model's Rust is compiled against bindings made from exactly what was granted, is accepted
//! or rejected as a whole, and only then runs in wasmtime with exactly those imports. Rejected code has touched nothing;
//! its diagnostics drive the next attempt.
//!
//! ```no_run
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! struct Duplicate {
//!     name: String,
//!     versions: Vec<String>,
//! }
//!
//! # async fn demo() -> Result<(), Box<dyn std::error::Error>> {
//! // `plan.wit` has `export duplicates: func(lockfile: string) -> list<duplicate>`, `lacuna.toml` beside it the grants.
//! let plan = lacuna::Plan::load("plan.wit")?;
//! let fill = plan.hole("audit")?.fill().await?;
//! let called = fill.call(serde_json::json!({ "lockfile": "Cargo.lock" })).await?;
//! for duplicate in called.get::<Vec<Duplicate>>()? {
//!     println!("{}: {}", duplicate.name, duplicate.versions.join(", "));
//! }
//!
//! // Every attempt, with the diagnostics that the model was given back:
//! let report = plan.hole("audit")?.try_fill().await?;
//! for attempt in &report.attempts {
//!     println!("attempt {}: {}", attempt.number, attempt.verdict.verdict);
//! }
//! # Ok(()) }
//! ```
//!
//! [`Lacuna::builder`] sets the cache folder, the environment, and who watches; [`Plan`] is one session with one budget
//! and one trace. The stages are public modules, so that each can be read and tested alone; `ARCHITECTURE.md` beside
//! this crate says what each takes, gives and may touch.
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "unit tests set up their own folders, programs and servers"
    )
)]

pub mod budget;
pub mod capability;
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod environment;
pub mod error;
pub mod grant;
pub mod labels;
mod layer;
pub mod link;
pub mod model;
pub mod plan;
mod process;
pub mod prompt;
pub mod sandbox;
pub mod scope;
pub mod session;
pub mod snippet;
pub mod toolchain;
pub mod trace;
pub mod value;

pub use session::{
    Arguments, AttemptReport, Builder, Called, Error, Fill, FillReport, Hole, Instance, Lacuna,
    Outcome, Plan, Verdict,
};
