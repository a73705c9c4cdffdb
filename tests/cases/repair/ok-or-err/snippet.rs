pub fn run(text: String) -> Result<String, String> {
    if text.is_empty() {
        return "empty".to_string();
    }
    Ok(text)
}
