pub fn run(n: u32) -> Total {
    Total { sum: n.to_string() }
}
