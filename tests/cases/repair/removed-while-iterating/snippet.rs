use std::collections::HashMap;

pub fn run(text: String) -> u32 {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    for (word, count) in &counts {
        if *count < 2 {
            counts.remove(word);
        }
    }
    counts.len() as u32
}
