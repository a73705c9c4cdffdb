random::bytes(1000000).unwrap().len() as u32
