#[doc = env!("HOME")]
pub fn run() -> String { String::new() }
