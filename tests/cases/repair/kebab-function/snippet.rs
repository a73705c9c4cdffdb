pub fn run(path: String) -> u32 {
    let text = repo::read-text(&path).unwrap_or_default();
    text.len() as u32
}
