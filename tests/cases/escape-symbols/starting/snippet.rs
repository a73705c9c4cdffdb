#[start]
fn first(_: isize, _: *const *const u8) -> isize { 0 }
#[rustc_main]
fn second() {}
#[linkage = "external"]
fn third() {}
pub fn run() -> String { String::new() }
