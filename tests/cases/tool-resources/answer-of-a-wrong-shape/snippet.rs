Ok(db::find("k")?.is_some().to_string())
