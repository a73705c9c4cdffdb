fn double(n: u32) -> u32 { n * 2 }
let f: fn(u32) -> u32 = double;
f
