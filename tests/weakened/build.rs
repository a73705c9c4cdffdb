//! Turns the switches of `host/src/layer.rs` on, for this package alone.

#![allow(clippy::print_stdout, reason = "cargo reads it")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=lacuna_weakened");
}
