fn square(n: u64) -> u64 {
    n * n
}

pub fn run(n: u32) -> u64 {
    square(n)
}
