let rows = json::table(&text, "/items", &["name".to_string(), "price".to_string(), "/at/city".to_string()])?;
Ok(rows
    .into_iter()
    .map(|row| row.into_iter().map(|cell| cell.unwrap_or("-".to_string())).collect::<Vec<_>>().join("|"))
    .collect())
