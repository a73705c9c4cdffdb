pub fn mean(values: Vec<f64>) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

pub fn summarise(values: Vec<f64>) -> Summary {
    Summary { mean: 0.0, largest: values[0] }
}
