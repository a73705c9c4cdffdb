//! The `lacuna` binary.

fn main() {}
