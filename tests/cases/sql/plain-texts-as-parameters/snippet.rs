db::query("SELECT id FROM orders WHERE customer = ?", &["Ada"]).unwrap().rows.len() as u32
