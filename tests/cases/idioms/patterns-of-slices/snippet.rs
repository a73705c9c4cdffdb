pub fn run(text: String) -> String {
    let parts: Vec<&str> = text.split_whitespace().collect();
    match parts.as_slice() {
        [] => "empty".to_string(),
        [one] => format!("one {one}"),
        ["add", a, b] => a
            .parse::<i32>()
            .ok()
            .zip(b.parse::<i32>().ok())
            .map_or("bad".into(), |(a, b)| (a + b).to_string()),
        [first, .., last] if first == last => "same".into(),
        [cmd @ ("get" | "put"), rest @ ..] => format!("{cmd}:{}", rest.join("+")),
        [_, middle @ .., _] => middle.len().to_string(),
    }
}
