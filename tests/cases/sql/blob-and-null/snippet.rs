let rows = db::query("SELECT photo FROM items WHERE id <= 2 ORDER BY id", &[])?.rows;
let photo = match &rows[0][0] {
    db::Value::Blob(bytes) => bytes.clone(),
    _ => return Err("no photo".into()),
};
Ok((photo, matches!(rows[1][0], db::Value::Null)))
