use std::alloc::Layout;
pub fn run() -> String {
    let layout = Layout::array::<u32>(3).unwrap();
    let value = 5u8;
    let at = &raw const value;
    format!("{} {} {}", layout.size(), layout.align(), at.is_null())
}
