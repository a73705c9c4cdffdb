let rows = db::query(
    "SELECT o.customer || ': ' || group_concat(i.name, ', ') FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.id ORDER BY o.id",
    &[],
)?;
let mut lines = Vec::new();
for row in rows.rows {
    if let Some(db::Value::Text(line)) = row.into_iter().next() {
        lines.push(line);
    }
}
Ok(lines)
