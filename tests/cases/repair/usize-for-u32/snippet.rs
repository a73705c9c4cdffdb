pub fn run(names: Vec<String>) -> u32 {
    names.len()
}
