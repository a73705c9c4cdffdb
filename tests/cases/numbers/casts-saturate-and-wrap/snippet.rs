let nan = f64::NAN;
vec![
    -1.5f64 as u8 as i64,
    300.7f32 as u8 as i64,
    nan as i32 as i64,
    1e20 as i32 as i64,
    u64::MAX as i64,
    -1i8 as u8 as i64,
    300u16 as u8 as i64,
    -2i8 as i64,
    true as i64,
    usize::MAX as i64,
    'A' as u8 as i64,
    (-5i64).div_euclid(2),
]
