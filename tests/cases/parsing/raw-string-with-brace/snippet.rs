r##"a"#b}"##.len() as u32
