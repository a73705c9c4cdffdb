pub fn run(customer: String) -> Result<i64, String> {
    let rows = change::execute_returning(
        "INSERT INTO orders (customer) VALUES (?) RETURNING id",
        &[Value::Text(customer)],
    )?;
    match rows.rows[0][0] {
        Value::Integer(id) => Ok(id),
        _ => Err("no id".to_string()),
    }
}
