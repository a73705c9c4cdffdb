let (s, b) = t; (s.len() + b.len()) as u32
