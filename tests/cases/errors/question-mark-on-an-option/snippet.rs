let at = s.find(':')?;
Ok(at as u32)
