#[path = include_str!("/etc/hostname")]
mod helper {}
pub fn run() -> String { String::new() }
