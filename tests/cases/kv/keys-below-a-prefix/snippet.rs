let names = store::keys("user/")?
    .into_iter()
    .filter(|key| key.ends_with("/name"))
    .map(|key| key.trim_start_matches("user/").trim_end_matches("/name").to_string())
    .collect();
Ok(names)
