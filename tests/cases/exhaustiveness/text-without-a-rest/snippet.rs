match s.to_lowercase().as_str() {
    "low" => Some(Level::Low),
    "high" => Some(Level::High),
}
