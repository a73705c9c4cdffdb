bank::mail(&friends, "a", None).to_string()
