//! `lacuna:fs` under attack, through guests that were judged, compiled and linked like any other: one does every
//! operation on every path that it is given, one does them over and over while the folder changes under it.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test makes the folders that it attacks"
)]

#[path = "files/guest.rs"]
mod guest;
#[path = "files/kinds.rs"]
mod kinds;
#[path = "files/names.rs"]
mod names;
#[path = "files/race.rs"]
mod race;
#[path = "files/read_only.rs"]
mod read_only;
mod support;
#[path = "files/tree.rs"]
mod tree;
#[path = "files/ways_out.rs"]
mod ways_out;
