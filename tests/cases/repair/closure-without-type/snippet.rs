pub fn run(names: Vec<String>) -> Vec<u32> {
    let size = |name| name.len() as u32;
    names.iter().map(|name| size(name)).collect()
}
