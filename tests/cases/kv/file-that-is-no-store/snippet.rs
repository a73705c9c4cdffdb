store::exists("a").unwrap()
