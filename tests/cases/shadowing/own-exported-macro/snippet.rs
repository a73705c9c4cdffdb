#[macro_export] macro_rules! fill { () => { 1 } }
pub fn run() -> u32 { 9 }