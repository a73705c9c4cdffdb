pub fn run(q: String) -> Result<Vec<String>, String> {
    let cursor = db::query(&q)?;
    let n = cursor.count();
    let mut out = vec![n.to_string()];
    for row in cursor {
        out.push(row?.name);
    }
    let names: Vec<String> = db::query(&q)?
        .into_iter()
        .map(|row| row.map(|row| row.name))
        .collect::<Result<_, _>>()?;
    out.extend(names);
    Ok(out)
}
