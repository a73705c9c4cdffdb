#![allow(dead_code)]
extern crate serde;
mod helpers;

pub fn run(text: String) -> String {
    let first = unsafe { *text.as_bytes().get_unchecked(0) };
    first.to_string()
}
