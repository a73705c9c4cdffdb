match n {
    x if x >= 0 => "up".to_string(),
    x if x < 0 => "down".to_string(),
}
