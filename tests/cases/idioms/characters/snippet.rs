pub fn run(text: String) -> String {
    let rot: String = text
        .chars()
        .map(|c| match c {
            'a'..='z' => ((c as u8 - b'a' + 13) % 26 + b'a') as char,
            'A'..='Z' => char::from((c as u8 - b'A' + 13) % 26 + b'A'),
            _ => c,
        })
        .collect();
    let d = std::char::from_digit(7, 10).unwrap();
    let u = char::from_u32(0x41).unwrap_or('?');
    let up: String = text.chars().flat_map(char::to_uppercase).collect();
    let t = text
        .chars()
        .filter(|c| !c.is_ascii_punctuation() && c.is_alphanumeric())
        .map(|c| c.to_ascii_lowercase())
        .collect::<String>();
    let n: u32 = text.chars().filter_map(|c| c.to_digit(10)).sum();
    let pal = t.chars().eq(t.chars().rev());
    format!("{rot}{d}{u}{up}{t}{n}{pal}{}", text.chars().rev().collect::<String>())
}
