Ok(regex::find_all(r"\d+", &text)?
    .into_iter()
    .map(|m| (m.start, m.end, text[m.start as usize..m.end as usize] == m.text))
    .collect())
