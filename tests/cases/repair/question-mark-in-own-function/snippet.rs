fn number(text: &str) -> u32 {
    let first = text.lines().next().ok_or("empty".to_string())?;
    first.parse().unwrap_or(0)
}

pub fn run(text: String) -> u32 {
    number(&text)
}
