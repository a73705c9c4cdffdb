let rows = db::all();
Ok(db::total(&rows).to_string())
