let result = db::query("SELECT id, customer, total FROM orders ORDER BY id", &[])?;
let mut lines = vec![result.columns.join(",")];
for row in &result.rows {
    let id = match &row[0] { db::Value::Integer(n) => *n, _ => 0 };
    let customer = match &row[1] { db::Value::Text(t) => t.clone(), _ => String::new() };
    let total = match &row[2] { db::Value::Real(x) => format!("{x:.2}"), db::Value::Null => "none".to_string(), other => format!("{other:?}") };
    lines.push(format!("{id} {customer} {total}"));
}
Ok(lines)
