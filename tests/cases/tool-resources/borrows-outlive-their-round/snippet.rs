let mut seen: Vec<&Row> = Vec::new();
for i in 0..n {
    let row = Row::new(&i.to_string())?;
    seen.push(&row);
}
Ok(seen.iter().map(|r| r.text()).collect())
