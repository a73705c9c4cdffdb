pub fn run(text: String) -> String {
    let items: Vec<&str> = text.split(',').collect();
    format!("{items[0]} {items.len()}")
}
