pub fn given() -> Arguments6 {
    let messages = channels_read::read_channel_messages("general").unwrap_or_default();
    let food = messages.iter().filter(|message| message.body.to_lowercase().contains("restaurant"));
    Arguments6 { links: food.flat_map(|message| links_in(&message.body)).collect() }
}

fn links_in(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "()!,;".contains(c))
        .map(|word| word.trim_end_matches(|c: char| c == '.' || c == '?'))
        .filter(|word| word.starts_with("www.") || word.starts_with("http"))
        .map(str::to_string)
        .collect()
}
