let row = Row::new("a")?;
if n > 1 {
    drop(row);
}
Ok(row.text())
