db::find("a")?;
Ok(db::find("b")?.is_some().to_string())
