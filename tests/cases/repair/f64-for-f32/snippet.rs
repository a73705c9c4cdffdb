fn half(x: f32) -> f32 {
    x / 2.0
}

pub fn run(xs: Vec<f64>) -> Sample {
    let mean: f64 = xs.iter().sum();
    let rest = half(mean);
    Sample { mean, n: xs.len() + rest as usize }
}
