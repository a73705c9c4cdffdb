use core::arch::wasm32::{f32x4_extract_lane, f32x4_mul, f32x4_splat};

#[target_feature(enable = "simd128")]
fn square(x: f32) -> f32 {
    let four = f32x4_splat(x);
    f32x4_extract_lane::<2>(f32x4_mul(four, four))
}

pub fn run() -> String {
    square(1.5).to_string()
}
