use db::Value;

pub fn run(customer: String, least: f64) -> Result<u64, String> {
    let rows = db::query(
        "SELECT count(*) FROM orders WHERE customer = ? AND total >= ?",
        &[Value::Text(customer), Value::Real(least)],
    )
    .map_err(|e| e.to_string())?;
    match rows.rows.first().and_then(|row| row.first()) {
        Some(Value::Integer(n)) => Ok(*n as u64),
        other => Err(format!("unexpected: {other:?}")),
    }
}
