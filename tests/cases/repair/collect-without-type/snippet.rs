pub fn run(names: Vec<String>) -> u32 {
    let unique = names.iter().map(|name| name.to_lowercase()).collect();
    unique.len() as u32
}
