pub fn run(text: String) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let line = line.trim().to_string();
        out.push(line);
        if line.is_empty() {
            break;
        }
    }
    out
}
