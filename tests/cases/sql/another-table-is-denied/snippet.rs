let mut said = Vec::new();
for sql in [
    "SELECT * FROM salaries",
    "SELECT * FROM nothing",
    "SELECT name FROM sqlite_master",
    "SELECT o.id FROM orders o JOIN salaries s ON s.name = o.customer",
    "PRAGMA table_list",
    "ATTACH 'other.db' AS o",
    "DELETE FROM orders",
    "SELECT 1; SELECT 2",
] {
    match db::query(sql, &[]) {
        Ok(rows) => said.push(format!("{} rows", rows.rows.len())),
        Err(db::Error::Denied(why)) => said.push(format!("denied: {why}")),
        Err(e) => said.push(format!("{e}")),
    }
}
said
