pub fn run(numbers: Vec<f64>) -> f64 {
    let mean = numbers.iter().sum() / numbers.len() as f64;
    mean
}
