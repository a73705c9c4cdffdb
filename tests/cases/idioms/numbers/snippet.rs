use std::num::{IntErrorKind, NonZeroU32, ParseFloatError, ParseIntError, Wrapping};
pub fn run(text: String) -> String {
    let w = Wrapping(250u8) + Wrapping(10);
    let h = text
        .bytes()
        .fold(5381u32, |h, b| h.wrapping_mul(33).wrapping_add(b as u32))
        .rotate_left(3);
    let s = 200u8.saturating_add(100);
    let (o, f) = 200u8.overflowing_add(100);
    let c = 5u32.checked_sub(6).unwrap_or_default();
    let p = 2i32.pow(10) + 7i32.rem_euclid(3) + (-7i32).div_euclid(2) + 9i32.isqrt() + 5i32.abs_diff(2) as i32;
    let fl = 2.5f64.round() as i64 + f64::from(3u8).powi(2) as i64 + (7.0_f64).sqrt().floor() as i64;
    let e: Result<u8, ParseIntError> = text.parse();
    let kind = match &e {
        Err(e) if *e.kind() == IntErrorKind::Empty => "empty",
        Err(_) => "bad",
        Ok(_) => "ok",
    };
    let g: Result<f64, ParseFloatError> = "x".parse();
    let nz = NonZeroU32::new(3).map(|n| n.get());
    let cl = 15.clamp(0, 10);
    let mx = f64::MAX.min(f64::INFINITY).max(f64::NAN).total_cmp(&1.0);
    let bits = 0b1011u8.count_ones() + 8u32.trailing_zeros() + 1u64.leading_zeros();
    let pi = std::f64::consts::PI;
    let hx = i64::from_str_radix("-ff", 16).unwrap();
    format!(
        "{w}{h}{s}{o}{f}{c}{p}{fl}{kind}{g:?}{nz:?}{cl}{mx:?}{bits}{pi:.3}{hx}{:#x}{:e}{:+}",
        u32::MAX,
        1234.5,
        3
    )
}
