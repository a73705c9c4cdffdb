struct Count(u32);
impl Iterator for Count { type Item = u32; fn next(&mut self) -> Option<u32> { self.0 += 1; (self.0 <= 5).then_some(self.0) } }
Count(0).zip(Count(0).skip(1)).map(|(a, b)| a * b).filter(|x| x % 3 == 0).sum()