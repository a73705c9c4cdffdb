pub fn run(names: Vec<String>) -> u32 {
    names.first().len() as u32
}
