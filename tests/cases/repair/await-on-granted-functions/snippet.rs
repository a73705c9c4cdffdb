async fn load(path: &str) -> Result<String, String> {
    repo::read_text(path).await.map_err(|error| error.to_string())
}

pub async fn run(path: String) -> Result<String, String> {
    load(&path).await
}
