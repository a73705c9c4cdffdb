use std::collections::HashMap;

pub fn run(names: Vec<String>) -> u32 {
    let counts: HashMap<String, u32> = names.into_iter().collect();
    counts.len() as u32
}
