fs::home().names().concat()
