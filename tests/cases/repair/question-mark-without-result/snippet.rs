pub fn run(path: String) -> u32 {
    let text = repo::read_text(&path)?;
    text.lines().count() as u32
}
