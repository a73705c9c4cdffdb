pub fn run(text: String) -> u32 {
    if let Some(first) = text.lines().next() && let Ok(number) = first.parse::<u32>() && number > 1 {
        number
    } else {
        0
    }
}
