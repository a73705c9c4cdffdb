store::keys("").unwrap()
