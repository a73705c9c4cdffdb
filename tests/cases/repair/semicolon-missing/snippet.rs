pub fn run(name: String) -> Vec<String> {
    let mut out = Vec::new()
    out.push(name)
    out
}
