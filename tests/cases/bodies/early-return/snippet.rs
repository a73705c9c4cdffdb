if s.is_empty() {
    return Err("empty".into());
}
Ok(s.len() as u32)