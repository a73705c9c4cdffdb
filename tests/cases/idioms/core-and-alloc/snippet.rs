use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt::{self, Write};
pub fn run(text: String) -> String {
    let v: Vec<u8> = Vec::new();
    let mut s = String::new();
    write!(s, "{}", v.len()).ok();
    s + &text
}
