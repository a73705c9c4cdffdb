pub fn run(path: String) -> u32 {
    path.read_text().unwrap_or_default().len() as u32
}
