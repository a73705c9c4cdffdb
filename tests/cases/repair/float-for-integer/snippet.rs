pub fn run(numbers: Vec<f64>) -> u32 {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    mean.round()
}
