pub fn run(path: String) -> u32 {
    match repo::read_text(path) {
        Ok(text) => text.lines().count() as u32,
        Err(_) => 0,
    }
}
