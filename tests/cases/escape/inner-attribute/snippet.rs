#![feature(rustc_private)]
pub fn run() -> u32 { 1 }