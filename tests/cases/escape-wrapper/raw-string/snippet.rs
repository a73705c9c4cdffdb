r##"text"# }
pub fn other() -> String { String::new()
