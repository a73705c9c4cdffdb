let letter = bank::letter(1);
bank::mail(&friends, &letter, None).to_string()
