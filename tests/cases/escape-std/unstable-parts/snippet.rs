use std::error::{Report, request_value};
use std::iter::Step;
use std::str::pattern::Pattern;
pub fn run() -> String {
    let list: Vec<u8, _> = Vec::new_in(std::alloc::Global);
    format!("{list:?} {:?}", Report::new(std::fmt::Error))
}
