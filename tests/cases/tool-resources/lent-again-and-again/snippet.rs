let row = Row::new("a")?;
let many = vec![&row; 1_000_000];
Ok(db::total(&many).to_string())
