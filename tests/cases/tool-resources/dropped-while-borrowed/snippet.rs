let row = Row::new("a")?;
let view = &row;
drop(row);
Ok(view.text())
