static mut COUNT: u32 = 0;
COUNT += 1;
COUNT
