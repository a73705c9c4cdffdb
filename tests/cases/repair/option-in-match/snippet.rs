pub fn run(names: Vec<String>) -> u32 {
    match names.into_iter().next() {
        Some("all") => 1,
        Some(_) => 2,
        None => 0,
    }
}
