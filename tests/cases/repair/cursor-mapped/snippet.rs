pub fn run(q: String) -> Vec<String> {
    db::query(&q).map(|row| row.name).collect()
}
