fn adder(n: u32) -> Box<dyn Fn(u32) -> u32> {
    Box::new(|x| x + n)
}
adder(n)(1)
