pub fn run(path: String) -> u32 {
    let text = repo::read_file(&path).unwrap_or_default();
    text.lines().count() as u32
}
