now() as u32
