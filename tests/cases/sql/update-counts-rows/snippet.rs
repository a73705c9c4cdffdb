Ok(vec![
    change::execute("UPDATE orders SET total = total * 2 WHERE customer = 'Ada'", &[])?,
    change::execute("UPDATE orders SET total = 0 WHERE id = ?", &[change::Value::Integer(99)])?,
    change::execute("DELETE FROM items WHERE order_id = ?1 OR name = ?2", &[change::Value::Integer(1), change::Value::Text("desk".into())])?,
])
