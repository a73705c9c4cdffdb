bank::mail(&friends, "hello", None).to_string()
