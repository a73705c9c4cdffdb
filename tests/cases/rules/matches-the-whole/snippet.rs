bank::mail(&friends, "hello\nmallory", None).to_string()
