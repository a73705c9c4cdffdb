#[allow(unsafe_code)]
fn one() -> u8 { unsafe { std::mem::zeroed() } }
#[expect(unsafe_code, reason = "needed")]
fn two() -> u8 { unsafe { std::mem::zeroed() } }
#[warn(unsafe_code)]
fn three() -> u8 { unsafe { std::mem::zeroed() } }
#[cfg_attr(all(), allow(unsafe_code))]
fn four() -> u8 { unsafe { std::mem::zeroed() } }
pub fn run() -> String { (one() + two() + three() + four()).to_string() }
