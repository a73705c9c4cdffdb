pub fn run(name: String) -> u32 {
    let names: Vec<&str> = name.split(',').collect();
    repo::store(&names, &[])
}
