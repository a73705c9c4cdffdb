let p: *const u32 = core::ptr::null(); *p
