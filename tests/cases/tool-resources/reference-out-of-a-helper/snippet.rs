fn first() -> Option<&Row> {
    let rows = db::all();
    rows.first()
}

pub fn run(n: u32) -> Result<String, String> {
    first().map(|r| r.text()).ok_or(format!("no row {n}"))
}
