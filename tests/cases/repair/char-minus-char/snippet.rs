pub fn run(text: String) -> String {
    text.chars().map(|c| (c - '0').to_string()).collect()
}
