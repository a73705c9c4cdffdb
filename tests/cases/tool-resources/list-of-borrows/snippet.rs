let rows = db::all();
let refs: Vec<&Row> = rows.iter().rev().collect();
let all = db::total(&refs);
let one = db::total(&[&rows[0]]);
Ok(format!("{all} {one} {}", rows.len()))
