pub fn run(sizes: Vec<u32>) -> u64 {
    let mut total: u64 = 0;
    for size in &sizes {
        total += *size;
    }
    total
}
