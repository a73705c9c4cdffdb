pub fn given() -> Arguments4 {
    let messages = channels_read::read_inbox("Bob").unwrap_or_default();
    Arguments4 { links: messages.iter().flat_map(|message| links_in(&message.body)).collect() }
}

fn links_in(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "()!,;".contains(c))
        .map(|word| word.trim_end_matches(|c: char| c == '.' || c == '?'))
        .filter(|word| word.starts_with("www.") || word.starts_with("http"))
        .map(str::to_string)
        .collect()
}
