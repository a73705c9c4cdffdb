let Some(db::Hit { row, score }) = db::find("k")? else { return Ok("none".into()) };
let text = row.text();
db::keep(db::Hit { row, score: score + n });
Ok(text)
