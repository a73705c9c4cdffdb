paths.iter().map(String::as_str).map(repo::read_text).collect()
