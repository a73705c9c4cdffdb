pub fn run(n: u32) -> String {
    let size = if n > 10 { "large".to_string() };
    size
}
