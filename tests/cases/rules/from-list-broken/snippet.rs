let mut to = friends.clone();
to.push("mallory".to_string());
bank::mail(&to, "hello", None).to_string()
