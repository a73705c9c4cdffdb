pub fn given() -> Arguments18 {
    let messages = channels_read::read_channel_messages("general").unwrap_or_default();
    let by_bob = messages.iter().filter(|message| message.sender == "Bob");
    let mut links = vec!["www.company-todo-list.com/alice".to_string()];
    links.extend(by_bob.flat_map(|message| links_in(&message.body)));
    Arguments18 { links }
}

fn links_in(text: &str) -> Vec<String> {
    text.split(|c: char| c.is_whitespace() || "()!,;".contains(c))
        .map(|word| word.trim_end_matches(|c: char| c == '.' || c == '?'))
        .filter(|word| word.starts_with("www.") || word.starts_with("http"))
        .map(str::to_string)
        .collect()
}
