let rows = db::all();
let all: Vec<&Row> = rows.iter().collect();
Ok(format!("{} {}", db::total(&all), rows[0].same(&rows[2])))
