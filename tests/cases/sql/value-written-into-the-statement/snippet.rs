pub fn run(customer: String) -> Result<u32, String> {
    let sql = format!("SELECT id FROM orders WHERE customer = '{customer}'");
    Ok(db::query(&sql, &[])?.rows.len() as u32)
}
