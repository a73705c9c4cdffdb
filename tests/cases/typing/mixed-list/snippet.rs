vec!["a".to_string(), 3]
