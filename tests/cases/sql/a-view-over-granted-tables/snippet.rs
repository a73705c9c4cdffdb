Ok(db::query("SELECT customer FROM large", &[])?.rows.len() as u32)
