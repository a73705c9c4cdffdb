let n: i32 = s.trim().parse()?;
Ok(n)
