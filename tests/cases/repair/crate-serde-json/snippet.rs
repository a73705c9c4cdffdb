pub fn run(text: String) -> Result<String, String> {
    let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(value["name"].as_str().unwrap_or_default().to_string())
}
