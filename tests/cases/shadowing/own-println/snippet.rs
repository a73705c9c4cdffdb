macro_rules! println { ($($t:tt)*) => { 7u32 } }
println!("x")