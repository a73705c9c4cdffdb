pub fn run(xs: Vec<u64>) -> u64 {
    if xs.is_empty() {
        return 0;
    }
    xs.iter().sum() / xs.len() as u64
}
