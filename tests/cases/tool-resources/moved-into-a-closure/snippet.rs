let row = Row::new("a")?;
let read = move || row.text();
let same = row.same(&row);
Ok(format!("{}{same}", read()))
