println!("\x1b[31mred\u{202e}\0");
panic!("\x1b[2J")