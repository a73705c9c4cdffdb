---
[dependencies]
rand = "0.9"
---
pub fn run() -> String { rand::random::<u8>().to_string() }
