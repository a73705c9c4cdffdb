pub fn run(items: Vec<Item>) -> String {
    items.iter().map(|i| format!("{}={} {}", i.name, i.level, i.level.to_string())).collect::<Vec<_>>().join(",")
}
