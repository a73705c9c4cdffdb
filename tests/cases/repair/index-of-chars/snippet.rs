pub fn run(text: String) -> String {
    text.chars()[1].to_string()
}
