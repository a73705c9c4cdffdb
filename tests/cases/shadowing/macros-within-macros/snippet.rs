#[allow(unused_macros)]
macro_rules! format_args { ($($t:tt)*) => { compile_error!("not this one") } }
#[allow(unused_macros)]
macro_rules! stringify { ($($t:tt)*) => { 0 } }
macro_rules! concat { ($($t:tt)*) => { "own" } }
println!("{}", 1);
dbg!(1 + 1);
assert_eq!(1, 1, "{}", 2);
assert!(true, "why {}", 3);
let mut v = vec![format!("a{}", 1), format!("{:?}", [2])];
v.push(concat!("x", "y").to_string());
v
