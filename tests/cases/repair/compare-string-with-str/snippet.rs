pub fn run(names: Vec<String>) -> u32 {
    names.iter().filter(|name| name == "a").count() as u32
}
