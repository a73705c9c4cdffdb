pub fn run(path: String) -> u32 {
    let text = repo::read_text(&path, "utf-8").unwrap_or_default();
    text.len() as u32
}
