r##"text"# } pub fn other() { "##.to_string()
