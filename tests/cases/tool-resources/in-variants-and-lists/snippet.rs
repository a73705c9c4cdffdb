match db::find("k") {
    db::Found::Many(rows) => { let t: Vec<String> = rows.iter().map(|r| r.text()).collect(); format!("{}{}", t.concat(), db::save(rows)) }
    db::Found::One(r) => r.text(),
    db::Found::None => String::new(),
}