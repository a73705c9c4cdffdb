pub async fn run(path: String) -> Result<String, String> {
    let text = repo::read_text(&path).map_err(|error| error.to_string())?;
    Ok(text)
}
