fn inner(s: &str) -> Result<i32, Box<dyn std::error::Error>> {
    let (a, b) = s.split_once(',').ok_or("no comma")?;
    Ok(a.parse::<i32>()? + b.parse::<i32>()?)
}
inner(&s).map_err(|e| e.to_string())