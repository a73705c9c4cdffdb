bank::mail(&friends, "größe", None).to_string()
