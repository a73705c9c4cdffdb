pub fn run(text: String) -> Result<Vec<(String, i64)>, String> {
    for word in text.split_whitespace() {
        out::increment(word, 1).map_err(|e| e.to_string())?;
    }
    let mut counts = Vec::new();
    for key in store::keys("").map_err(|e| e.to_string())? {
        let n = store::get_text(&key).map_err(|e| e.to_string())?.unwrap_or_default();
        counts.push((key, n.parse().unwrap_or(0)));
    }
    Ok(counts)
}
