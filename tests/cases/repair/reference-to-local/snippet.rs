fn normalised(text: &str) -> &str {
    let lower = text.to_lowercase();
    lower.trim()
}

pub fn run(text: String) -> String {
    normalised(&text).to_string()
}
