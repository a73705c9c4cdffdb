use std::collections::BTreeSet;
use std::io::Result;

pub fn run(s: String) -> Result<Summary, String> {
    let words: BTreeSet<&str> = s.split(' ').collect();
    Ok(Summary { total: words.len() as u32, words: words.into_iter().map(String::from).collect() })
}
