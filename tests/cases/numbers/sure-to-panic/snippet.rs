let xs = [1u32, 2, 3];
let big = 255u8 + 1;
xs[3] + u32::from(big)
