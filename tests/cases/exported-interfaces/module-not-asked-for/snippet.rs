pub mod stats {
    use super::*;

    pub fn mean(values: Vec<f64>) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    pub fn summarize(values: Vec<f64>) -> Summary {
        let largest = values.iter().copied().fold(f64::MIN, f64::max);
        Summary { mean: mean(values), largest }
    }
}
