macro_rules! join { ($word:tt $block:tt) => { $word $block }; }
pub fn run() -> String {
    let n: u8 = join!(unsafe { std::mem::zeroed() });
    n.to_string()
}
