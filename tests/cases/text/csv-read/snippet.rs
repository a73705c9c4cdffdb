let all = csv::parse(&text, ';')?;
let some = csv::table(&text, ';', &["qty".to_string(), "name".to_string()])?;
Ok((all, some))
