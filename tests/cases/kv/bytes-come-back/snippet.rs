out::set("raw", &[0, 255, 10])?;
Ok(store::get("raw")?.unwrap_or_default())
