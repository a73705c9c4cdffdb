let bytes = store::get("nobody")?;
let text = store::get_text("nobody")?;
Ok((bytes.is_none(), text.is_none(), store::exists("note")?))
