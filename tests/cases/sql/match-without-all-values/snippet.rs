let rows = db::query("SELECT id FROM orders", &[]).unwrap();
match &rows.rows[0][0] {
    db::Value::Integer(n) => n.to_string(),
    db::Value::Text(t) => t.clone(),
}
