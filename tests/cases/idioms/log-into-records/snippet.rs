use std::collections::HashMap;
use std::str::FromStr;

fn parse_level(s: &str) -> Option<Level> {
    match s.to_ascii_uppercase().as_str() {
        "DEBUG" => Some(Level::Debug),
        "INFO" => Some(Level::Info),
        "WARN" | "WARNING" => Some(Level::Warn),
        "ERROR" => Some(Level::Error),
        _ => None,
    }
}

pub fn run(text: String) -> Vec<Entry> {
    text.lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ' ');
            let at = u64::from_str(parts.next()?).ok()?;
            let level = parse_level(parts.next()?)?;
            let rest = parts.next().unwrap_or_default();
            let fields = rest
                .split_whitespace()
                .filter_map(|kv| kv.split_once('='))
                .map(|(k, v)| (k.to_owned(), v.trim_matches('"').to_owned()))
                .collect::<Vec<(String, String)>>();
            Some(Entry {
                at,
                level,
                message: rest.to_string(),
                fields,
            })
        })
        .collect()
}
