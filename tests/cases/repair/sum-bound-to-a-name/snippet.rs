pub fn run(xs: Vec<f64>) -> f64 {
    let total = xs.iter().sum();
    (total / 2.0).round()
}
