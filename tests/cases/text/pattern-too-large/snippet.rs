regex::is_match(r"(\w{100}){100}", "ab")
