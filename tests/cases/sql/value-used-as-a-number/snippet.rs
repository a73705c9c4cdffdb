pub fn run() -> i64 {
    let rows = db::query("SELECT count(*) FROM orders", &[]).unwrap();
    let n: i64 = rows.rows[0][0];
    n
}
