let Some(hit) = db::find("k")? else { return Ok(String::new()) };
let row = hit.row;
db::keep(hit);
Ok(row.text())
