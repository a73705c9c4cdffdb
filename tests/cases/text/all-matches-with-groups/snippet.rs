let found = regex::find_all(r"(?m)^(\S+) (\w+) \S+ (\d+)$", &text)?;
Ok(found
    .iter()
    .map(|m| {
        let group = |n: usize| m.groups[n].as_deref().unwrap_or("");
        format!("{} {} {}", group(3), group(1), group(2))
    })
    .collect())
