let db::Found::Many(mut rows) = db::find("k") else { return "none".into() };
rows.swap(0, 1);
let last = rows.pop().unwrap();
let old = std::mem::replace(&mut rows[0], last);
old.text()