paths.iter().map(repo::read_text).collect()
