let text = "{\n  \"a\": [1, 2,]\n}";
vec![
    json::get(text, "/a").unwrap_err(),
    json::items("{}", "").unwrap_err(),
    json::get("{}", "a").unwrap_err(),
    json::parse(&"[".repeat(1000)).unwrap_err(),
    json::parse(&("[".repeat(1000) + &"]".repeat(1000))).unwrap_err(),
]
