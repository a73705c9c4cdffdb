fn get(k: &str) -> Result<String, Failure> {
    tool::get(k).map_err(|e| match e {
        tool::Error::Missing(what) if what == k => Failure::Empty,
        other => Failure::Tool(other.to_string()),
    })
}

pub fn run() -> Result<u32, Failure> {
    let a = get("a").or_else(|e| match e {
        Failure::Empty => get("b"),
        other => Err(other),
    })?;
    Ok(a.len() as u32)
}
