pub fn run(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort();
    numbers
}
