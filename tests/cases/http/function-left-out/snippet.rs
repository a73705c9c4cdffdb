let request = http::Request {
    method: "POST".to_string(),
    url: "https://api.example.com/items".to_string(),
    headers: Vec::new(),
    body: Vec::new(),
};
http::send(&request).map(|response| response.status).unwrap_or(0)
