vec![
    format!("{} {} {} {}", 7i32.div_euclid(2), 7 % 2, -7 / 3, (-7i32).rem_euclid(3)),
    format!("{:?} {:?}", 3u8.checked_pow(5), 3u8.checked_pow(6)),
    format!("{:?} {} {}", 250u8.overflowing_add(10), 250u8.saturating_add(10), 5u8.saturating_sub(10)),
    format!("{} {} {}", 5u32.abs_diff(17), 37u32.isqrt() - 1, 1000u32.ilog10()),
    format!("{} {}", 0b1110_1101u8.leading_zeros() + 7, (1u64 << 8).trailing_zeros()),
    format!("{:#x} {:x}", u32::from_be_bytes([0x12, 0x34, 0x56, 0x78]), 0x12345678u32.swap_bytes()),
    format!("{} {} {}", 10u8.next_multiple_of(5), 17u32.div_ceil(2), 9u32.next_power_of_two()),
    format!("{:?}", (i8::MIN.checked_neg().is_none(), i8::MIN.unsigned_abs() - 8)),
    format!("{} {} {}", 9i32.signum(), (-9i32).signum(), 2.5f64.round() as i32),
]
