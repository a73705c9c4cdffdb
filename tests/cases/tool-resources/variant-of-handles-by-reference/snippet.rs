let row = Row::new("a")?;
let entry = db::Entry::One(row);
Ok(db::store(&entry).to_string())
