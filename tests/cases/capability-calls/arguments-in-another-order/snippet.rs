let (seed, step): (u64, f32) = (1, 0.5);
format!("{}", tool::long(1, 2, 3, step, seed))
