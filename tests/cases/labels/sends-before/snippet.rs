let sent = bank::mail(&friends, "hello", None);
let letter = bank::letter(1);
format!("{sent} {}", letter.len())
