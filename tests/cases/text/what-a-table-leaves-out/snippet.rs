regex::is_match("a", &regex::replace_all("b", "abc", "")?)
