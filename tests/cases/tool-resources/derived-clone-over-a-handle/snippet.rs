#[derive(Debug, Clone, PartialEq)]
struct Cached {
    row: Row,
    text: String,
}
let row = db::take(1);
let cached = Cached { text: row.text(), row };
if cached == cached.clone() { cached.text } else { String::new() }
