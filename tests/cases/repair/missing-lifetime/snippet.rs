fn longer(left: &str, right: &str) -> &str {
    if left.len() >= right.len() { left } else { right }
}

pub fn run(text: String) -> String {
    longer(&text, "abc").to_string()
}
