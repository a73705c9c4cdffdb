s.len() as u32
