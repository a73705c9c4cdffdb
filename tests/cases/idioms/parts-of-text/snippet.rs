pub fn run(text: String) -> String {
    let a = text.split_once(": ").map(|(k, v)| (k.trim(), v.trim_end_matches(';')));
    let b = text.rsplit_once('/').unwrap_or(("", &text)).1;
    let c = text.strip_suffix(".txt").or_else(|| text.strip_suffix(".md"));
    let d: Vec<_> = text.splitn(3, ',').collect();
    let e = text
        .char_indices()
        .filter(|(_, c)| c.is_uppercase())
        .map(|(i, _)| i)
        .collect::<Vec<usize>>();
    let f = text.matches("ab").count() + text.rmatch_indices("b").count();
    let g = text.find(char::is_whitespace).map(|i| &text[..i]);
    let h = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|s| !s.is_empty())
        .last();
    let i = text.split(&[' ', ','][..]).count()
        + text.split([';', ':']).count()
        + text.split_terminator('\n').count()
        + text.split_inclusive('\n').count();
    let j = text.trim_matches(|c| c == '(' || c == ')').repeat(2);
    let k = text.bytes().rev().take(2).map(char::from).collect::<String>();
    format!(
        "{a:?}{b}{c:?}{d:?}{e:?}{f}{g:?}{h:?}{i}{j}{k}{}",
        text.is_char_boundary(1)
    )
}
