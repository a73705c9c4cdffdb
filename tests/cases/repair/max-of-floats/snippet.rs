pub fn run(numbers: Vec<f64>) -> f64 {
    *numbers.iter().max().unwrap_or(&0.0)
}
