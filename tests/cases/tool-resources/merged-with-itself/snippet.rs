let row = Row::new("a")?;
let both = row.merge(row);
Ok(both.text())
