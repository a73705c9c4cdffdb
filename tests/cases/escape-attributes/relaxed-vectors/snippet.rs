#[target_feature(enable = "simd128,relaxed-simd")]
fn reversed(values: &mut [f32; 4]) {
    let copy = *values;
    for i in 0..4 { values[i] = copy[3 - i] * 2.0; }
}
pub fn run() -> String {
    let mut values = [1.0, 2.0, 3.0, 4.0];
    reversed(std::hint::black_box(&mut values));
    format!("{values:?}")
}
