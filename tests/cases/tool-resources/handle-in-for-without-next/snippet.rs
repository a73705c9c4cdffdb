pub fn run(q: String) -> Vec<String> {
    let cursor = db::query(&q);
    let mut out = Vec::new();
    for row in cursor {
        out.push(row);
    }
    out
}
