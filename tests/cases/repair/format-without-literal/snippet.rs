pub fn run(name: String) -> String {
    println!(name);
    format!("{name}")
}
