pub fn double(n: u32) -> u32 { n * 2 }
pub fn half(n: u32) -> Option<u32> { (n % 2 == 0).then(|| n / 2) }