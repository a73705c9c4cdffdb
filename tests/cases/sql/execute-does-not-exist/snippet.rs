db::execute("DELETE FROM orders", &[]).unwrap()
