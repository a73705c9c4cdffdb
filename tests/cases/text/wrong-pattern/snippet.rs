regex::is_match("a(b", "ab")
