fn some(n: u32) -> Option<u32> { Some(n) }
#[allow(non_snake_case)] fn Ok(n: u32) -> u32 { n }
some(Ok(3))