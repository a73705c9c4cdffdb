pub fn run(text: String) -> String {
    let n = match text.trim().parse() {
        Ok(n) => n,
        Err(_) => return "bad".to_string(),
    };
    format!("{}", n * 2)
}
