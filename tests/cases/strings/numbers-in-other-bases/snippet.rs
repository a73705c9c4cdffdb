vec![
    format!("{:?}", u32::from_str_radix("fF", 16)),
    format!("{:?}", u32::from_str_radix("0x1f", 16)),
    format!("{:?}", i8::from_str_radix("-10000000", 2)),
    format!("{:?}", char::from_digit(35, 36)),
    format!("{:?}", 'Z'.to_digit(36)),
    format!("{:?}", char::from_u32(0xD800)),
    format!("{:?}", "+5".parse::<u8>()),
    format!("{:e} {} {}", 1e-7, "1e999".parse::<f64>().unwrap(), "NaN".parse::<f32>().unwrap().is_nan()),
    format!("{:#b} {:#x} {:#o}", 5, 255, 15),
    format!("x={:b}", -128i8),
]
