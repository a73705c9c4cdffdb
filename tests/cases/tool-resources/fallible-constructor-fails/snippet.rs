let rows: Result<Vec<Row>, String> = (0..3).map(|i| Row::new(&i.to_string())).collect();
Ok(rows?.len().to_string())
