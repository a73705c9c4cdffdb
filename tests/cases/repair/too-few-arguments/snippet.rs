pub fn run(path: String) -> Result<(), String> {
    repo::copy(&path)?;
    Ok(())
}
