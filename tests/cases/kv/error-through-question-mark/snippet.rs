let n = out::increment("note", 1)?;
Ok(n)
