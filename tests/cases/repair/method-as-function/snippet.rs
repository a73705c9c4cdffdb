pub fn run(names: Vec<String>) -> u32 {
    len(names) as u32
}
