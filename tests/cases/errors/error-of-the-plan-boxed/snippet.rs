use std::error::Error;
fn twice(key: &str) -> Result<u32, Box<dyn Error>> {
    let first = tool::get(key)?;
    let second = tool::get(key).map_err(|e| match e { Failure::Missing(k) => Failure::Missing(format!("{k} after {first}")), e => e })?;
    Ok(first + second)
}
match twice(&key) {
    Ok(n) => Ok(n),
    Err(e) => match e.downcast::<Failure>() { Ok(f) => Err(*f), Err(_) => Err(Failure::Busy) },
}
