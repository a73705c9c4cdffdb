db::query("SELECT id FROM orders", &[]).unwrap().rows.len() as u32
