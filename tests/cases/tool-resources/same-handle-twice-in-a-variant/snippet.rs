let row = Row::new("a")?;
let entry = db::Entry::Pair((row, row));
Ok(db::store(entry).to_string())
