fn sum<const N: usize>(xs: [u32; N]) -> u32 { xs.iter().sum::<u32>() + N as u32 }
sum([1, 2, 3]) + sum([])