let n = change::execute(
    "INSERT INTO orders (customer, total) VALUES (?, ?), (?, ?)",
    &[change::Value::Text("Di".into()), change::Value::Real(5.0), change::Value::Text("Ed".into()), change::Value::Null],
)?;
let rows = db::query("SELECT customer FROM orders WHERE id > 4 ORDER BY id", &[])?;
Ok(format!("{n} {:?}", rows.rows))
