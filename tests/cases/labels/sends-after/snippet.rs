let letter = bank::letter(1);
bank::mail(&friends, "hello", None);
letter
