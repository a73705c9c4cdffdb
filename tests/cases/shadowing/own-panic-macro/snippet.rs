#[allow(unused_macros)] macro_rules! panic { ($($t:tt)*) => { 8u32 } }
let v: Vec<u32> = vec![]; v.first().copied().unwrap_or(panic!("x"))