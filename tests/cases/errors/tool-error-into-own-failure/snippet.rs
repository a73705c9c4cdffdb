let v = tool::get("a")?;
if v.is_empty() { return Err(Failure::Empty); }
Ok(v.len() as u32)
