pub fn run(text: String) -> String {
    let first = text[0];
    first.to_string()
}
