pub fn run(names: Vec<String>) -> String {
    let mut out = Vec::new();
    for (index, name) in names.iter().enumerate() {
        writeln!(out, "{index}: {name}").unwrap();
    }
    String::from_utf8_lossy(&out).into_owned()
}
