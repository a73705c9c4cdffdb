use std::fmt::Write;
let mut out = String::new();
s.parse::<u32>();
write!(out, "{s}");
out.parse::<u32>().map_err(|_| "bad").or_else(|_| Ok::<u32, String>(7))
