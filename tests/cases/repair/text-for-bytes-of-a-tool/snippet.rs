pub fn run() -> String {
    let mut out = String::new();
    for entry in docs::entries() {
        out.push_str(&entry.name);
    }
    docs::write("names", &out);
    out
}
