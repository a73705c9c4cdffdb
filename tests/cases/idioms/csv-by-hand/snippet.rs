pub fn run(csv: String) -> Result<Vec<Row>, String> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().ok_or("no header")?.split(',').collect();
    let idx = |name: &str| {
        header
            .iter()
            .position(|h| h.trim() == name)
            .ok_or_else(|| format!("no column {name}"))
    };
    let (c, a) = (idx("city")?, idx("amount")?);
    let w = idx("when").ok();
    lines
        .enumerate()
        .filter(|(_, l)| !l.trim().is_empty())
        .map(|(i, l)| {
            let f: Vec<&str> = l.split(',').map(|x| x.trim()).collect();
            let amount = f
                .get(a)
                .ok_or(format!("line {}", i + 2))?
                .parse::<f64>()
                .map_err(|e| format!("line {}: {}", i + 2, e))?;
            Ok(Row {
                city: f.get(c).unwrap_or(&"").to_string(),
                amount,
                when: w
                    .and_then(|w| f.get(w))
                    .filter(|s| !s.is_empty())
                    .map(|s| s.to_string()),
            })
        })
        .collect()
}
