pub fn run(text: String) -> String {
    let mut out = String::new();
    for c in text.chars().rev() {
        out.push_str(c);
        out += c;
    }
    out
}
