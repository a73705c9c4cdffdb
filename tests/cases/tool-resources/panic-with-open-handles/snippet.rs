let rows = db::all();
let third = &rows[n as usize];
Ok(third.text())
