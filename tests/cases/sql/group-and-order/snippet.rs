let rows = db::query(
    "SELECT customer, sum(total) AS spent FROM orders WHERE total IS NOT NULL GROUP BY customer ORDER BY spent DESC",
    &[],
)?;
Ok(rows
    .rows
    .into_iter()
    .filter_map(|row| match (&row[0], &row[1]) {
        (db::Value::Text(name), db::Value::Real(spent)) => Some((name.clone(), *spent)),
        _ => None,
    })
    .collect())
