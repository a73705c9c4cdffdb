let rows = db::all();
let table = Table::new("t");
let hit = db::find("k")?;
Ok(format!("{}{}{}", rows.len(), hit.is_some(), table.row(n).is_some()))
