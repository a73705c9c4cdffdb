pub fn run(text: String) -> Result<String, String> {
    let first = text.lines().next()?;
    Ok(first.to_uppercase())
}
