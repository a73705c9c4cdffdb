pub fn run(text: String) -> u32 {
    let lines = text.lines().count() as u32;
    logger::info(&format!("{lines} lines"));
    lines
}
