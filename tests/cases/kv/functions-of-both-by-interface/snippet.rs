write::set_text("a", "b")?;
read::get_text("a")?.ok_or_else(|| "nothing".to_string())
