pub fn run(folder: String) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let page = api::list_items(&folder, cursor.as_deref()).map_err(|f| format!("{} {}", f.code, f.message))?;
        all.extend(page.items);
        match page.next {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    Ok(all)
}
