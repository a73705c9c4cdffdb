/// Says "it's" and 'nothing'. /* " */
fn longest<'r>(one: &'r str, other: &'r str) -> &'r str {
    if one.len() < other.len() { other } else { one }
}

macro_rules! pick {
    ($l:lifetime, $text:literal) => { $text };
}

pub fn run() -> String {
    let quote = '"';
    let byte = b'"' as char;
    assert_eq!(quote, byte); // "
    let raw = r#"a"b"#;
    let bytes = br##"c"#d"##;
    let c = c"e\"f";
    let n = longest(raw, "x").len() + bytes.len().min(2) + c.to_bytes().len().min(1);
    let text = pick!('r, "mod x;");
    format!("{n} {quote} {} {} {text} {}", '\\', r"#", "\u{e9}")
}
