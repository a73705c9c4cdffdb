pub fn run(names: Vec<String>) -> String {
    let mut out = String::new();
    for (index, name) in names.iter().enumerate() {
        writeln!(out, "{index}: {name}").unwrap();
    }
    out
}
