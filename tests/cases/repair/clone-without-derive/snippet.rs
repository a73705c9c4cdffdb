struct Counter {
    hits: u32,
}

pub fn run(n: u32) -> u32 {
    let one = Counter { hits: n };
    let other = one.clone();
    one.hits + other.hits
}
