mod std { pub fn max() -> u32 { 3 } }
std::max() + ::std::cmp::max(1, 2)