match http::get("https://example.com/") {
    Err(http::Error::NotGranted(reason)) => reason.split("; ").last().unwrap_or_default().to_string(),
    other => format!("{other:?}"),
}
