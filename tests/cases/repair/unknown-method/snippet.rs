pub fn run(text: String) -> u32 {
    text.length() as u32
}
