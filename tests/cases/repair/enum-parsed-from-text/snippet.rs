pub fn run(items: Vec<Item>) -> String {
    let least: Level = "low".parse().unwrap_or(Level::Low);
    items.iter().filter(|i| i.level > least).count().to_string()
}
