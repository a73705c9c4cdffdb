bank::mail(&friends, "a", None);
bank::mail(&friends, "b", None).to_string()
