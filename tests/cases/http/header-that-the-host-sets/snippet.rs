let request = http::Request {
    method: "POST".to_string(),
    url: "https://api.example.com/items".to_string(),
    headers: vec![("Host".to_string(), "example.com".to_string())],
    body: Vec::new(),
};
matches!(http::send(&request), Err(http::Error::ForbiddenHeader(_)))
