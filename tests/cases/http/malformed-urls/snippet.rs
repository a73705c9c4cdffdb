["api.example.com", "https://me@api.example.com/", "https://api.example.com/a b"]
    .iter()
    .map(|url| match http::get_text(url) {
        Err(http::Error::InvalidUrl(_)) => "invalid-url".to_string(),
        other => format!("{other:?}"),
    })
    .collect()
