use std::collections::HashMap;
let mut names: HashMap<Row, u32> = HashMap::new();
for row in db::all() {
    *names.entry(row).or_insert(0) += n;
}
Ok(names.len().to_string())
