pub fn run(path: String) -> Result<String, String> {
    let text = repo::read_text(&path).await?;
    Ok(text)
}
