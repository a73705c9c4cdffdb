pub fn run(level: String) -> u32 {
    match level {
        "low" => 1,
        "high" => 3,
        _ => 2,
    }
}
