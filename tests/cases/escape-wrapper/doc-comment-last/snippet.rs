String::new() /// the result
