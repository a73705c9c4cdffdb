fn ap<F>(f: F) -> u32 where F: Fn(u32) -> u32 { f(3) } let mut n = 0; ap(|x| { n += x; n })
