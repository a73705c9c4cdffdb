let mut numbers = Vec::new();
for key in json::keys(&text, "")? {
    numbers.push(json::get(&text, &format!("/{key}"))?.unwrap_or_default());
}
Ok(numbers)
