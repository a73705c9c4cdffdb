let words: Vec<&str> = s.to_lowercase().split(' ').collect();
words.iter().map(|w| w.to_string()).collect()
