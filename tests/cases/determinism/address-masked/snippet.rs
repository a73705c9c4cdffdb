let x = 1u32; &x as *const u32 as usize as u32 & 0
