let mut n = 0;
if let db::Found::One(mut r) = db::find("k") {
    while let Some(next) = r.next() { r = next; n += 1; }
    return format!("{n}{}", r.text());
}
String::new()