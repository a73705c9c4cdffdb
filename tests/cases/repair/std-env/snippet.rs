pub fn run() -> String {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.get(1).cloned().unwrap_or_else(|| std::env::var("HOME").unwrap_or_default())
}
