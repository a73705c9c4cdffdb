let a = [1u8; 1 << 25]; core::hint::black_box(&a); a[5] as u32
