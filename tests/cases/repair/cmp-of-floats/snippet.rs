pub fn run(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(|a, b| b.cmp(a));
    numbers
}
