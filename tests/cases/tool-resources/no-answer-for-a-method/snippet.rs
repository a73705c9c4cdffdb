Ok(Row::new("a")?.text())
