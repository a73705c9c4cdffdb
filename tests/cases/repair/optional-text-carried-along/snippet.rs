pub fn run() -> Vec<String> {
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let page = api::list_items(cursor);
        all.extend(page.items);
        cursor = page.next;
        if cursor.is_none() {
            return all;
        }
    }
}
