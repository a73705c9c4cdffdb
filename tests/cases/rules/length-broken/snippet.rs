bank::mail(&friends, "größer", None).to_string()
