pub fn run(s: String) -> u32 {
    let paths = repo::entries();
    let mut seen = Vec::new();
    for path in paths {
        let text = repo::read_text(&path).unwrap_or_default();
        seen.push(path);
    }
    let first = seen.first().cloned();
    seen.len() as u32
}
