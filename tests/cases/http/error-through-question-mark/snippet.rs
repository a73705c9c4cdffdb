Ok(http::get_text("https://example.com/")?)
