use std::collections::HashMap;

#[derive(Debug, Clone, PartialEq)]
struct Key {
    word: String,
    length: usize,
}

pub fn run(text: String) -> u32 {
    let mut counts: HashMap<Key, u32> = HashMap::new();
    for word in text.split(' ') {
        let key = Key { word: word.to_string(), length: word.len() };
        *counts.entry(key).or_insert(0) += 1;
    }
    counts.len() as u32
}
