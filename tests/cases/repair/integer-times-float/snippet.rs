pub fn run(cents: i64, rate: f64) -> f64 {
    cents * rate / 100.0
}
