source::get("k").unwrap_or_default()
