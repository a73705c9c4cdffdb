let mut said = Vec::new();
for sql in ["SELECT id FROM orders LIMIT 2", "SELECT id FROM orders"] {
    said.push(match db::query(sql, &[]) {
        Ok(r) => format!("{} rows", r.rows.len()),
        Err(db::Error::TooLarge(why)) => why,
        Err(e) => e.to_string(),
    });
}
said
