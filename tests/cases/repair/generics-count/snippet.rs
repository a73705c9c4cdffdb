use std::collections::HashMap;

fn parse(text: &str) -> Result<u32> {
    text.parse().map_err(|_| "no number".to_string())
}

pub fn run(text: String) -> Result<u32, String> {
    let seen: HashMap<String> = HashMap::new();
    Ok(parse(&text)? + seen.len() as u32)
}
