pub fn run(text: String) -> u32 {
    let count = text.lines().count().unwrap();
    count as u32
}
