#[target_feature(enable = "simd128")]
fn unused(values: &mut [f32; 4]) { values[0] = 1.0; }
pub fn run() -> String { "plain".to_string() }
