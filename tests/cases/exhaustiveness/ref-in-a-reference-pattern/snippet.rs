let mut total = 0;
for Row { name, n } in &rows {
    if let Some(ref name) = name {
        if let (ref key, &count) = (name, n) {
            total += count + key.len() as u32;
        }
    }
    match &rows[0].name {
        Some(ref text) => total += text.len() as u32,
        None => {}
    }
}
total
