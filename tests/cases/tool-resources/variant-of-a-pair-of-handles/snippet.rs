let mut rows = db::all();
let (b, a) = (rows.pop().unwrap(), rows.pop().unwrap());
let stored = db::store(db::Entry::Pair((b, a)));
Ok(format!("{stored}{}", rows.len()))
