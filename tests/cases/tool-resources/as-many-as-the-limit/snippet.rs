let mut texts = Vec::new();
for i in 0..4 {
    let row = Row::new(&i.to_string())?;
    let _other = Table::new("t");
    texts.push(row.text());
}
let kept: Vec<Row> = (0..n).filter_map(|i| Row::new(&i.to_string()).ok()).collect();
Ok(format!("{} {}", texts.concat(), kept.len()))
