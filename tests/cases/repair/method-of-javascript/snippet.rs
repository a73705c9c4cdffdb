pub fn run(text: String) -> String {
    let head = text.substring(0, 3);
    head.to_string()
}
