pub mod stats {
    use super::*;

    pub fn mean(values: Vec<f64>) -> f32 {
        values.len() as f32
    }

    pub fn summarize(values: Vec<f64>) -> Summary {
        Summary { mean: 1.0, largest: values.len() as f64 }
    }
}
