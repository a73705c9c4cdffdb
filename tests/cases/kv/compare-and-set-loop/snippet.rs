loop {
    let now = store::get("user/ada/visits")?;
    let count: u64 = match &now {
        Some(bytes) => std::str::from_utf8(bytes).unwrap_or("0").parse().unwrap_or(0),
        None => 0,
    };
    let next = (count + 1).to_string();
    if out::compare_and_set("user/ada/visits", now.as_deref(), next.as_bytes())? {
        return Ok(next);
    }
}
