let sql = "WITH monthly AS (
    SELECT strftime('%Y-%m', placed) AS month, total FROM orders WHERE placed IS NOT NULL
)
SELECT month, sum(total), rank() OVER (ORDER BY sum(total) DESC) FROM monthly GROUP BY month ORDER BY month";
let rows = db::query(sql, &[])?;
Ok(rows.rows.iter().map(|row| format!("{:?}", row)).collect())
