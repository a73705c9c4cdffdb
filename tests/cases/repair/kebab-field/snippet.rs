pub fn run() -> u32 {
    repo::entries().iter().map(|entry| entry.line-count).sum()
}
