#[allow(non_camel_case_types)]
type u32 = u64;

pub fn run() -> u32 { 4 }
