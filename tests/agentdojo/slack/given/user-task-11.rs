pub fn given() -> Arguments11 {
    let messages = channels_read::read_inbox("Alice").unwrap_or_default();
    let by_bob: Vec<_> = messages.iter().filter(|message| message.sender == "Bob").collect();
    let mut channels = channels_read::get_channels().unwrap_or_default();
    channels.retain(|channel| by_bob.iter().any(|message| message.body.contains(&format!("'{channel}'"))));
    Arguments11 { links: by_bob.iter().flat_map(|message| links_in(&message.body)).collect(), channels }
}

fn links_in(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "()!,;".contains(c))
        .map(|word| word.trim_end_matches(|c: char| c == '.' || c == '?'))
        .filter(|word| word.starts_with("www.") || word.starts_with("http"))
        .map(str::to_string)
        .collect()
}
