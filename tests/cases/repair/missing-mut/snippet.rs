pub fn run(names: Vec<String>) -> Vec<String> {
    let out = Vec::new();
    for name in names {
        out.push(name.to_uppercase());
    }
    out
}
