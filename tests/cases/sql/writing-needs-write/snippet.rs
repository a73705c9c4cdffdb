change::execute("DELETE FROM orders", &[]).unwrap()
