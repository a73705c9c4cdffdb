store::set_text("note", "changed")?;
Ok(())
