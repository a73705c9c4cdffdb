unsafe fn dangerous() -> u8 { 1 }
unsafe trait Promise { unsafe fn keep(&self); }
unsafe impl Promise for u8 { unsafe fn keep(&self) {} }
static mut COUNT: u32 = 0;
pub fn run() -> String { COUNT += 1; String::new() }
