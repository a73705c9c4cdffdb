let mut lines = Vec::new();
let mut last: Option<String> = None;
loop {
    let page = store::scan("", last.as_deref(), 3)?;
    if page.is_empty() {
        break;
    }
    lines.push(format!("page of {}", page.len()));
    for entry in &page {
        lines.push(format!("{}={}", entry.key, String::from_utf8_lossy(&entry.value)));
    }
    last = page.last().map(|entry| entry.key.clone());
}
Ok(lines)
