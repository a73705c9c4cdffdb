pub fn run(text: String) -> String {
    let n = text.trim().parse().unwrap();
    if n > 3 { "big".to_string() } else { "small".to_string() }
}
