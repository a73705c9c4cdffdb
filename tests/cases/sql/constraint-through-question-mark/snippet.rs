Ok(change::execute("INSERT INTO orders (id, customer) VALUES (1, 'again')", &[])?)
