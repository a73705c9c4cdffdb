use std::fmt::Write as _;
let mut s = String::new();
write!(s, "{:>4}|{:<4}|{:^4}|{:#x}|{:08.3}", 1, 2, 3, 255, 1.5).unwrap();
s