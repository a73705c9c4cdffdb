fn adder(n: u32) -> impl Fn(u32) -> u32 { move |x| x + n }
let fs: Vec<Box<dyn Fn(u32) -> u32>> = vec![Box::new(adder(1)), Box::new(|x| x * 10)];
fs.iter().map(|f| f(4)).collect()