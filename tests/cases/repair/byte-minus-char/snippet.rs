pub fn run(text: String) -> String {
    text.chars().map(|c| ((c as u8 - 'a' + 1) % 26).to_string()).collect()
}
