pub fn run(level: Level) -> u32 {
    match level {
        Level::very_low => 0,
        Level::HIGH => 2,
        Level::Medium => 1,
    }
}
