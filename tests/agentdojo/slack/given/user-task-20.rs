pub fn given() -> Arguments20 {
    let messages = channels_read::read_channel_messages("general").unwrap_or_default();
    let mut links = vec!["www.dora-website.com".to_string(), "www.eve-blog.com".to_string()];
    links.extend(messages.iter().flat_map(|message| links_in(&message.body)));
    Arguments20 { links }
}

fn links_in(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "()!,;".contains(c))
        .map(|word| word.trim_end_matches(|c: char| c == '.' || c == '?'))
        .filter(|word| word.starts_with("www.") || word.starts_with("http"))
        .map(str::to_string)
        .collect()
}
