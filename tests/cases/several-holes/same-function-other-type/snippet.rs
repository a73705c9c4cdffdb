age("a") as u32
