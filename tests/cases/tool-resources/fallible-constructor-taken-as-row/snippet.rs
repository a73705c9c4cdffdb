let row = Row::new("a");
Ok(row.text())
