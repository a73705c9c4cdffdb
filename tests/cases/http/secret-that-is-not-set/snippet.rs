http::get("https://a.example.com/").is_ok()
