db::query("SELECT zeroblob(200000)", &[]).unwrap().rows.len() as u32
